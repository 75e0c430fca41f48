package dev.bridle.cli.run;

import dev.bridle.cli.console.BuildVersion;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.TerminalWriter;
import dev.bridle.cli.runtime.AgentOptions;
import dev.bridle.host.preset.AgentStart;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Isolation;
import dev.bridle.host.process.Spawner;
import dev.bridle.host.task.AgentHost;
import dev.bridle.host.task.HostSettings;
import dev.bridle.host.task.MemoryBudget;
import dev.bridle.host.task.Offers;
import dev.bridle.host.task.Workplace;
import dev.bridle.storage.embedded.DirectoryLock;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs an agent that speaks ACP on a folder, and asks the person at the terminal for it. */
@Command(
    name = "run",
    description = {
      "Run a coding agent on a folder, and be asked before it acts.",
      "Each prompt is a task with a record and a receipt.",
      "",
      "The agent must speak the Agent Client Protocol (ACP) on its standard input and output.",
      "opencode, qwen, Claude Code and Gemini CLI are made to ask whatever the folder's own"
          + " settings say.",
      "Other agents may act without asking. This is no sandbox.",
      "",
      "Where prompts are typed, a line that is typed while the agent works is the next prompt.",
      "'/step TEXT' is told to the agent after its tool call, '/now TEXT' at once.",
      "",
      "The session of the folder goes on at the next start, also after a crash."
    },
    footer = {
      "%nExamples:",
      "  bridle run -- opencode acp",
      "  bridle run --prompt 'Fix the failing test.' -- qwen --acp",
      "  bridle run --approve deny --json --file prompt.md -- opencode acp"
    })
public final class RunCommand implements Callable<Integer> {
  /** The system property that says that standard input is a terminal. */
  private static final String TYPED = "bridle.typed";

  private static final int MIB_SHIFT = 20;

  /** Who answers the agent's questions. */
  enum Approve {
    /** The person at this terminal. */
    here,
    /** Somebody at another terminal, or with a client of the server. */
    elsewhere,
    /** Phones of people, by what they sign on the server's page; nothing else. */
    phone,
    /** The devices of people, by what they sign; nothing else. */
    harp,
    /** Nobody: everything is denied. */
    deny
  }

  /** Where the prompt comes from. */
  static final class Source {
    @Option(names = "--prompt", paramLabel = "TEXT", description = "The prompt.")
    private String prompt = "";

    @Option(names = "--file", paramLabel = "FILE", description = "A file with the prompt.")
    private Path file;
  }

  @Spec private CommandSpec spec;

  @ArgGroup(exclusive = true)
  private Source source;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "The folder to work in. Default: the current one.")
  private Path folder = Path.of("").toAbsolutePath();

  @Option(
      names = "--data-dir",
      paramLabel = "DIRECTORY",
      description = {
        "Where the data of all folders is kept, with a server of its own.",
        "Default: BRIDLE_DATA_DIR, else XDG_DATA_HOME/bridle, else ~/.local/share/bridle."
      })
  private Path dataDir;

  @Option(
      names = "--end-unused",
      paramLabel = "TIME",
      description =
          "After what time without use a server ends that this starts (default: ${DEFAULT-VALUE}).",
      defaultValue = "15m")
  private Duration endUnused = Duration.ofMinutes(15);

  @Option(
      names = "--approve",
      paramLabel = "WHO",
      description = {
        "Who answers the agent's questions: 'here' (you, the default), 'elsewhere' (prints the"
            + " command that answers at another terminal, and waits), 'phone' (phones that sign"
            + " their answer, and nothing else; the first time a QR code pairs one), 'harp' (the"
            + " same with devices that were enrolled by commands) or 'deny' (everything is denied)."
      })
  private Approve approve = Approve.here;

  @Option(
      names = "--no-wait",
      description = "End with code 5 as soon as a question is open; the next start goes on.")
  private boolean noWait;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = {
        "How long the whole command may take. Then a task that works is canceled; one that waits"
            + " for an answer is left for the next start, with code 5."
      })
  private Optional<Duration> timeout = Optional.empty();

  @Option(
      names = "--memory",
      paramLabel = "MB",
      description = {
        "How many MiB of memory the agent, with what it starts, may have resident. One that has"
            + " more is ended, and its task fails if that happens again and again. Default: no"
            + " limit."
      })
  private Optional<Integer> memory = Optional.empty();

  @Option(names = "--new", description = "Begin a new session instead of going on.")
  private boolean fresh;

  @Option(names = "--json", description = "Print the events of tasks as lines of JSON.")
  private boolean json;

  @Mixin private AgentOptions agent;

  /** Creates the command; called by picocli. */
  public RunCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    agent.needSpeaking();
    RunFolder place = RunFolder.of(folder, Optional.ofNullable(dataDir), System.getenv());
    RunScreen screen = screen(place);
    RunOutput output = screen.output();
    Optional<Terminal> terminal = screen.terminal();
    checkOptions(terminal);
    OptionalLong memoryLimit = memory();
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(3, RunCommand::daemon);
    TimeLimit limit = new TimeLimit(timeout, timer);
    AgentStart start = agent.start(place.settings());
    AgentLauncher launcher = AgentLauncher.create(new Spawner(), Optional.of(place.data()), timer);
    output.note("folder " + place.folder() + ", data " + place.data());
    place
        .earlierData()
        .ifPresent(
            earlier ->
                output.note(
                    "what an earlier version kept of this folder: bridle up --data-dir "
                        + earlier));
    DetachedServer servers =
        new DetachedServer(
            place.data(), ServerProgram.ofThisProcess(endUnused, isSigned()), output::note);
    output.promises(start.asks(), launcher.isolation(), start.environment().withheld());
    DirectoryLock inFolder = HostLocks.ofFolder(place);
    try (AgentHost host =
            new AgentHost(
                launcher,
                settings(start, memoryLimit),
                Workplace.only(place.folder()),
                MemoryBudget.unlimited(),
                Offers.none(),
                timer,
                output);
        FolderServer server =
            FolderServer.start(
                servers, place.folder(), agent.program(), agent.identity(), host, output::note)) {
      Answering answering = answering(server, output, terminal, launcher.isolation());
      return new Conversation(server, output, terminal, answering, limit).run(prompt(), fresh);
    } finally {
      inFolder.close();
      timer.shutdownNow();
      if (terminal.isPresent()) {
        terminal.get().close();
      }
    }
  }

  private RunScreen screen(RunFolder place) {
    PrintWriter out = spec.commandLine().getOut();
    if (source == null && Boolean.getBoolean(TYPED) && !json && out instanceof TerminalWriter) {
      Optional<RunScreen> edited =
          RunScreen.edited(place, System.getenv().getOrDefault("TERM", ""));
      if (edited.isPresent()) {
        return edited.get();
      }
    }
    return RunScreen.plain(out, spec.commandLine().getErr(), json);
  }

  private void checkOptions(Optional<Terminal> terminal) {
    if (noWait && approve == Approve.deny) {
      throw new CommandFailed(
          ExitCodes.USAGE, "--no-wait has no meaning with --approve deny: no question stays open.");
    }
    if (approve == Approve.here && !noWait && terminal.isEmpty()) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "There is no terminal to ask at. Run this in one, have others asked with --approve"
              + " elsewhere, or deny everything with --approve deny.");
    }
  }

  private HostSettings settings(AgentStart start, OptionalLong memoryLimit) {
    HostSettings settings =
        HostSettings.ofPerson(start, BuildVersion.current(), memoryLimit, agent.chosen());
    return isSigned() ? settings.withSignedOnly() : settings;
  }

  private boolean isSigned() {
    return approve == Approve.harp || approve == Approve.phone;
  }

  private OptionalLong memory() {
    if (memory.isEmpty()) {
      return OptionalLong.empty();
    }
    if (memory.get() < 1) {
      throw new CommandFailed(
          ExitCodes.USAGE, "--memory is " + memory.get() + ", expected at least 1.");
    }
    return OptionalLong.of((long) memory.get() << MIB_SHIFT);
  }

  private Answering answering(
      FolderServer server, RunOutput output, Optional<Terminal> terminal, Isolation isolation) {
    if (approve == Approve.elsewhere || (noWait && approve == Approve.here)) {
      return new AnswerElsewhere(output, server.arguments(), !noWait);
    }
    Approver approver =
        new Approver(
            server.client(),
            terminal.orElseGet(() -> Terminal.of(InputStream.nullInputStream())),
            output,
            isolation.tier().hidesFiles());
    return switch (approve) {
      case here -> approver;
      case phone -> AnswerOnDevice.ofPhone(server, output, approver, !noWait);
      case harp -> AnswerOnDevice.of(server, output, approver, !noWait);
      case elsewhere, deny -> Answering.denying(approver);
    };
  }

  /** Returns the one prompt; empty: prompts are typed. */
  private Optional<String> prompt() throws IOException {
    if (source != null && source.file != null) {
      return Optional.of(Files.readString(source.file));
    }
    if (source != null) {
      return Optional.of(source.prompt);
    }
    return Boolean.getBoolean(TYPED)
        ? Optional.empty()
        : Optional.of(new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "bridle-run-timer");
    thread.setDaemon(true);
    return thread;
  }
}
