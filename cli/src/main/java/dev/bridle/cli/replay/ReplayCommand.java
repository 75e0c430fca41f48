package dev.bridle.cli.replay;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.receipt.IssuerKeys;
import dev.bridle.proof.replay.ReplayReport;
import dev.bridle.proof.verify.OneLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays the recorded log of a task, without a server and without a data directory. */
@Command(
    name = "replay",
    description = {
      "Replay the log of a task without a server.",
      "Verifies the task's receipt, checks each event, folds the task's state and its counts again,"
          + " and compares them with the receipt. Prints what was checked, what was not, and the"
          + " first difference. This proves what was recorded; no agent runs again."
    },
    subcommands = RecordCommand.class,
    synopsisSubcommandLabel = "[COMMAND]",
    footer = {
      "%nExamples:",
      "  bridle replay record task_01J9 --output task.jsonl",
      "  bridle replay task.jsonl --keys keys.json",
      "  bridle replay task.jsonl --keys keys.json --output segment.json"
    })
public final class ReplayCommand implements Callable<Integer> {
  private static final String STDIN = "-";

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "A file of 'bridle replay record'; '-': stdin.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description =
          "A JWK set with the keys that you trust as issuers (default: the key set in FILE, which"
              + " does not prove who issued the receipt).")
  private Optional<Path> keys = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "Write the receipt of the replayed segment to this file. Each replay of the same source"
              + " makes the same bytes.")
  private Optional<Path> output = Optional.empty();

  @Option(
      names = "--require-complete",
      description =
          "Fail with exit code 9 if the receipt's signature or an event could not be checked.")
  private boolean requireComplete;

  @Option(
      names = "--json",
      description = "Print a line of JSON for the receipt, and one for the replay.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public ReplayCommand() {}

  @Override
  public Integer call() {
    Path source =
        file.orElseThrow(
            () -> new ParameterException(spec.commandLine(), "Give a file to replay."));
    IssuerKeys given = keys.map(IssuerKeys::read).orElse(IssuerKeys.NONE);
    FileReplay replay = new FileReplay(given, new ReplayProgress(spec.commandLine().getErr()));
    ReplayResult result = read(source, replay);
    output.ifPresent(target -> write(result, target));
    new ReplayOutput(spec.commandLine().getOut(), json).print(result);
    return exitCode(result);
  }

  private static ReplayResult read(Path source, FileReplay replay) {
    boolean isStdin = source.toString().equals(STDIN);
    try (InputStream in = isStdin ? System.in : Files.newInputStream(source)) {
      return replay.read(in);
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.USAGE, OneLine.of(source + " can't be read: " + e), e);
    }
  }

  private static void write(ReplayResult result, Path target) {
    result
        .report()
        .flatMap(ReplayReport::segment)
        .ifPresent(
            segment -> {
              try {
                Files.write(target, segment.unsigned().bytes());
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
    return requireComplete && !result.isComplete()
        ? ExitCodes.RECEIPT_NOT_COMPLETE
        : ExitCodes.DONE;
  }
}
