package dev.bridle.cli.replay;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.receipt.IssuerKeys;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import dev.bridle.proof.replay.ReplayReport;
import dev.bridle.proof.verify.OneLine;
import dev.bridle.proof.verify.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Replays the recorded log of a task: from a file, without a server and without a data directory;
 * or on the server that has the task.
 */
@Command(
    name = "replay",
    description = {
      "Replay the log of a task: from a file without a server, or on the server that has it.",
      "Verifies the task's receipt, checks each event, folds the task's state and its counts again,"
          + " and compares them with the receipt. Of a file, prints what was checked, what was not,"
          + " and the first difference. On a server, each replay is a task of its own; prints its"
          + " id, and its result or the first difference.",
      "This proves what was recorded; no agent runs again, except with '--depth execute',"
          + " '--from-checkpoint', '--override' and '--refresh'. The last two change what was"
          + " recorded."
    },
    subcommands = RecordCommand.class,
    synopsisSubcommandLabel = "[COMMAND]",
    footer = {
      "%nExamples:",
      "  bridle replay record task_01J9 --output task.jsonl",
      "  bridle replay task.jsonl --keys keys.json",
      "  bridle replay task.jsonl --keys keys.json --output segment.json",
      "  bridle replay task_01J9 --output segment.json",
      "  bridle replay task_01J9 --depth execute",
      "  bridle replay task_01J9 --override answers.json --diff",
      "  bridle replay task_01J9 --from-checkpoint half",
      "  bridle replay session_01J9"
    })
public final class ReplayCommand implements Callable<Integer> {
  private static final String STDIN = "-";

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE|TASK|SESSION",
      description =
          "A file of 'bridle replay record' ('-': stdin); the id of a task on the server; or the id"
              + " of a session there, whose tasks that have ended are replayed in their order. A"
              + " file of that name comes first.")
  private Optional<Path> source = Optional.empty();

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description =
          "A JWK set with the keys that you trust as issuers (default: the key set in the file,"
              + " which does not prove who issued the receipt). Not for a TASK or SESSION.")
  private Optional<Path> keys = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "Write the receipt of the replayed segment to this file. Each replay of the same source"
              + " makes the same bytes. Not for a SESSION.")
  private Optional<Path> output = Optional.empty();

  @Option(
      names = "--depth",
      paramLabel = "DEPTH",
      description =
          "What is replayed: 'log', the default; or 'execute', where the task's handler runs again"
              + " as well, answered from the record, and has to do the same. That needs a worker of"
              + " the task's agent that runs replays. Not for a file.")
  private ReplayDepth depth = ReplayDepth.LOG;

  @Option(
      names = "--override",
      paramLabel = "FILE",
      description =
          "Run the task's handler again with other values than those that were recorded, and print"
              + " what differs. FILE ('-': stdin) is a JSON object with a member for each value, by"
              + " the key of its step, such as {\"llm:main:1\": {\"value\": ...}}; or a whole request."
              + " Only for a TASK.")
  private Optional<Path> override = Optional.empty();

  @Option(
      names = "--from-checkpoint",
      paramLabel = "ID",
      description =
          "Begin the handler's replay at a checkpoint: its key, or the id of an event. What was"
              + " recorded up to there is taken as it is. Only for a TASK.")
  private Optional<String> checkpoint = Optional.empty();

  @Option(
      names = "--refresh",
      paramLabel = "KEY",
      description =
          "Run the task's handler again and let it compute this recorded value anew: that calls its"
              + " model or tool, with all effects. Can be repeated. Only for a TASK.")
  private List<String> refresh = new ArrayList<>();

  @Option(
      names = "--diff",
      description =
          "With '--override' and '--refresh', also print what each step reported before and after, and which"
              + " members of the receipt differ.")
  private boolean diff;

  @Option(
      names = "--require-complete",
      description =
          "Fail with exit code 9 if the receipt's signature or an event could not be checked. Not"
              + " for a TASK or SESSION.")
  private boolean requireComplete;

  @Option(
      names = "--accept-unproven",
      description =
          "For a FILE: end with exit code 0 where nothing failed, though who issued the receipt is"
              + " not proven.")
  private boolean acceptUnproven;

  @Option(
      names = "--json",
      description =
          "Print a line of JSON for each replay; of a file, also one for its receipt; of a SESSION,"
              + " also one with the counts.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public ReplayCommand() {}

  @Override
  public Integer call() {
    Path given =
        source.orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(), "Give a file to replay, or the id of a task or session."));
    ReplaySource kind = ReplaySource.of(given);
    refuseOptions(kind);
    return switch (kind) {
      case FILE -> replayFile(given);
      case TASK -> replayTask(given.toString());
      case SESSION -> replaySession(given.toString());
    };
  }

  private void refuseOptions(ReplaySource kind) {
    for (String option : kind.refused()) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(spec.commandLine(), option + " " + kind.why());
      }
    }
  }

  private int replayFile(Path file) {
    IssuerKeys given = keys.map(IssuerKeys::read).orElse(IssuerKeys.NONE);
    FileReplay replay = new FileReplay(given, new ReplayProgress(spec.commandLine().getErr()));
    ReplayResult result = read(file, replay);
    result
        .report()
        .flatMap(ReplayReport::segment)
        .ifPresent(segment -> write(segment.unsigned().bytes()));
    new ReplayOutput(spec.commandLine().getOut(), json).print(result);
    return exitCode(result);
  }

  private int replayTask(String task) {
    ReplayRequest request = request();
    RestClient client = server.connect();
    OnlineReplay replays = online(client, request);
    OnlineResult result = replays.replay(task);
    if (output.isPresent()) {
      result.segment().ifPresent(segment -> write(replays.content(segment.artifactId())));
    }
    Optional<ReplayDiff> shown = diff ? Optional.of(new ReplayDiff(client)) : Optional.empty();
    new OnlineOutput(spec.commandLine().getOut(), json, shown).print(result);
    return result.exitCode();
  }

  private ReplayRequest request() {
    if (diff && override.isEmpty() && refresh.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--diff is for '--override' and '--refresh': any other replay ends at its first"
              + " difference.");
    }
    boolean isHandlers = override.isPresent() || checkpoint.isPresent() || !refresh.isEmpty();
    if (isHandlers && spec.commandLine().getParseResult().hasMatchedOption("--depth")) {
      throw new ParameterException(
          spec.commandLine(),
          "--depth is not for '--override', '--refresh' and '--from-checkpoint', which always run"
              + " the handler.");
    }
    Optional<ReplayRequest> given = override.map(OverrideFile::read).map(ReplayRequest::with);
    if (!isHandlers) {
      return ReplayRequest.of(depth);
    }
    ReplayRequest request = given.orElseGet(ReplayRequest::empty);
    ReplayRequest begun = checkpoint.map(request::from).orElse(request);
    return refresh.isEmpty() ? begun : begun.refreshing(refresh);
  }

  private int replaySession(String session) {
    RestClient client = server.connect();
    OnlineOutput printed = new OnlineOutput(spec.commandLine().getOut(), json, Optional.empty());
    if (depth == ReplayDepth.EXECUTE) {
      return new SessionReplay(client, online(client, ReplayRequest.of(depth)), printed)
          .replay(session);
    }
    PrintWriter err = spec.commandLine().getErr();
    return new SessionOnServer(new FollowedReplay(client, err, server.words()), printed, err)
        .replay(session);
  }

  private OnlineReplay online(RestClient client, ReplayRequest request) {
    return new OnlineReplay(client, request, spec.commandLine().getErr(), server.words());
  }

  private static ReplayResult read(Path file, FileReplay replay) {
    boolean isStdin = file.toString().equals(STDIN);
    try (InputStream in = isStdin ? System.in : Files.newInputStream(file)) {
      return replay.read(in);
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.USAGE, OneLine.of(file + " can't be read: " + e), e);
    }
  }

  private void write(byte[] segment) {
    output.ifPresent(
        target -> {
          try {
            Files.write(target, segment);
          } catch (IOException e) {
            throw new CommandFailed(
                ExitCodes.FAILED, OneLine.of(target + " can't be written: " + e), e);
          }
        });
  }

  private int exitCode(ReplayResult result) {
    if (result.isUnavailable()) {
      return ExitCodes.RECEIPT_NOT_COMPLETE;
    }
    if (!result.isReplayed()) {
      return ExitCodes.RECEIPT_NOT_VALID;
    }
    boolean isEnough = result.verdict() == Verdict.VALID || acceptUnproven;
    return !isEnough || (requireComplete && !result.isComplete())
        ? ExitCodes.RECEIPT_NOT_COMPLETE
        : ExitCodes.DONE;
  }
}
