package dev.bridle.cli.run;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.TerminalWriter;
import dev.bridle.host.preset.AgentPreset;
import dev.bridle.host.preset.AgentPresets;
import dev.bridle.host.preset.AgentStart;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Spawner;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs an agent that speaks ACP on a folder, and asks the person at the terminal for it. */
@Command(
    name = "run",
    description = {
      "Run a coding agent on a folder, and be asked before it acts.",
      "Each prompt is a task with a record and a receipt.",
      "",
      "The agent must speak the Agent Client Protocol (ACP) on its standard input and output.",
      "opencode and qwen are made to ask whatever the folder's own settings say.",
      "Other agents may act without asking. This is no sandbox.",
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

  /** Who answers the agent's questions. */
  enum Approve {
    /** The person at this terminal. */
    here,
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
        "Where the data about the folder is kept.",
        "Default: run/FOLDER in BRIDLE_DATA_DIR, else in XDG_DATA_HOME/bridle."
      })
  private Path dataDir;

  @Option(
      names = "--approve",
      description = "Who answers: 'here' (you, the default) or 'deny' (everything is denied).")
  private Approve approve = Approve.here;

  @Option(names = "--new", description = "Begin a new session instead of going on.")
  private boolean fresh;

  @Option(
      names = "--env",
      paramLabel = "NAME",
      description = "A variable of your environment that the agent gets, too. Repeatable.")
  private List<String> named = new ArrayList<>();

  @Option(names = "--json", description = "Print the events of tasks as lines of JSON.")
  private boolean json;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "The agent's command, after '--'.")
  private List<String> command = new ArrayList<>();

  /** Creates the command; called by picocli. */
  public RunCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    boolean shown = json || out instanceof TerminalWriter;
    RunOutput output =
        new RunOutput(
            out,
            spec.commandLine().getErr(),
            json,
            new Rows(shown ? TerminalWidth.watch() : () -> Integer.MAX_VALUE));
    Optional<Terminal> terminal = Terminal.open();
    if (approve == Approve.here && terminal.isEmpty()) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "There is no terminal to ask at. Run this in one, or deny everything with --approve"
              + " deny.");
    }
    RunFolder place = RunFolder.of(folder, Optional.ofNullable(dataDir), System.getenv());
    AgentStart start = start(place);
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(2, RunCommand::daemon);
    AgentLauncher launcher = AgentLauncher.create(new Spawner(), Optional.of(place.data()), timer);
    output.note("folder " + place.folder() + ", data " + place.data());
    output.promises(start.asks(), launcher.isolation(), start.environment().withheld());
    try (AgentHost host = new AgentHost(launcher, start, place.folder(), timer, output::started);
        FolderServer server = FolderServer.start(place.data(), command.get(0), host)) {
      Optional<Approver> approver =
          approve == Approve.here
              ? terminal.map(
                  keys ->
                      new Approver(
                          server.client(), keys, output, launcher.isolation().tier().hidesFiles()))
              : Optional.empty();
      return new Conversation(server, output, terminal, approver).run(prompt(), fresh);
    } finally {
      timer.shutdownNow();
      if (terminal.isPresent()) {
        terminal.get().close();
      }
    }
  }

  private AgentStart start(RunFolder place) throws IOException {
    Map<String, String> whole = System.getenv();
    Optional<AgentPreset> preset = AgentPresets.load().of(command);
    try {
      return preset.isPresent()
          ? AgentStart.of(preset.get(), command, whole, Set.copyOf(named), place.settings())
          : AgentStart.unknown(command, whole, Set.copyOf(named));
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(ExitCodes.USAGE, e.getMessage() + ".", e);
    }
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
