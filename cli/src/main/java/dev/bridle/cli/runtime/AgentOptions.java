package dev.bridle.cli.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.host.acp.SessionSettings;
import dev.bridle.host.preset.AgentPreset;
import dev.bridle.host.preset.AgentPresets;
import dev.bridle.host.preset.AgentScreen;
import dev.bridle.host.preset.AgentStart;
import dev.bridle.host.runtime.RuntimeFile;
import dev.bridle.host.runtime.RuntimeHomes;
import dev.bridle.host.runtime.RuntimeSettings;
import dev.bridle.proof.hash.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** An agent's command, and what it is started with. */
public final class AgentOptions {
  /** How a person logs in to an agent that needs it. */
  public static final String LOGIN_HINT =
      "choose a login with --login METHOD, or log in with the agent's own command; then run this"
          + " again";

  @Option(
      names = "--env",
      paramLabel = "NAME",
      description = "A variable of your environment that the agent gets, too. Repeatable.")
  private List<String> named = new ArrayList<>();

  @Option(
      names = "--login",
      paramLabel = "METHOD",
      description = {
        "Log in to the agent with one of its methods, each time it is started.",
        "'bridle runtime test -- COMMAND' lists them."
      })
  private Optional<String> login = Optional.empty();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description = "The mode of the agent's session, such as 'plan'.")
  private Optional<String> mode = Optional.empty();

  @Option(
      names = "--option",
      paramLabel = "ID=VALUE",
      description = {
        "An option of the agent's session, such as model=NAME. Repeatable.",
        "'bridle runtime test -- COMMAND' lists the modes, the options and their values."
      })
  private Map<String, String> options = new LinkedHashMap<>();

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "The agent's command, after '--'.")
  private List<String> command = new ArrayList<>();

  /** Creates the options; called by picocli. */
  public AgentOptions() {}

  /**
   * Checks that the command speaks the protocol, as far as its program is known.
   *
   * @throws CommandFailed with the command to give instead, if it shows a screen of its own
   */
  public void needSpeaking() {
    AgentScreen.of(command)
        .ifPresent(
            screen -> {
              String install =
                  screen.npm().isEmpty() ? "" : " (npm install -g " + screen.npm() + ")";
              throw new CommandFailed(
                  ExitCodes.USAGE,
                  "'"
                      + String.join(" ", command)
                      + "' shows its own screen and does not speak the Agent Client Protocol. Give"
                      + " this command instead: "
                      + screen.command()
                      + install);
            });
  }

  /** Returns the agent's program, as it was spelled. */
  public String program() {
    return command.get(0);
  }

  /**
   * Returns what identifies the agent, so that what is granted to it is not another one's: the file
   * of its program and, unless a preset knows it, a hash of its arguments, which may be secrets.
   */
  public String identity() {
    String file = file(program()).orElse(program());
    if (preset().isPresent()) {
      return preset().get().name() + " (" + file + ")";
    }
    String arguments = String.join("\0", command.subList(1, command.size()));
    return arguments.isEmpty() ? file : file + " #" + Sha256.of(arguments.getBytes(UTF_8));
  }

  /** Returns where a program is, as a shell finds it. */
  private static Optional<String> file(String program) {
    if (program.contains("/")) {
      return Optional.of(Path.of(program).toAbsolutePath().normalize().toString());
    }
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .map(found -> found.toAbsolutePath().normalize().toString())
        .findFirst();
  }

  /** Returns what the person chose for the agent and its session. */
  public SessionSettings chosen() {
    return new SessionSettings(login, mode, options);
  }

  /** Returns the preset that knows the agent, if one does. */
  Optional<AgentPreset> preset() {
    return AgentPresets.load().of(command);
  }

  /**
   * Returns the runtime of a file that the command names.
   *
   * @throws CommandFailed if the file can't be read, or has none of that name
   */
  RuntimeSettings runtime(Path file) {
    if (command.size() != 1) {
      throw new CommandFailed(
          ExitCodes.USAGE, "With --runtimes, name one runtime of the file in place of a command.");
    }
    try {
      Map<String, RuntimeSettings> all = RuntimeFile.read(file);
      return Optional.ofNullable(all.get(program()))
          .orElseThrow(
              () ->
                  new CommandFailed(
                      ExitCodes.USAGE,
                      file
                          + " has no runtime '"
                          + program()
                          + "'; it has "
                          + String.join(", ", all.keySet())
                          + "."));
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(ExitCodes.USAGE, e.getMessage() + ".", e);
    }
  }

  /** Returns how a server starts a runtime. */
  static AgentStart start(RuntimeSettings runtime, Path homes) throws IOException {
    try {
      return RuntimeHomes.start(homes, System.getenv(), runtime);
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(ExitCodes.USAGE, e.getMessage() + ".", e);
    }
  }

  /**
   * Returns how the agent is started: by its preset, so that it asks, if one knows it.
   *
   * @param settings the folder for the settings of presets
   */
  public AgentStart start(Path settings) throws IOException {
    Map<String, String> whole = System.getenv();
    Optional<AgentPreset> preset = preset();
    try {
      preset.ifPresent(known -> known.checkChosen(chosen()));
      return preset.isPresent()
          ? AgentStart.of(preset.get(), command, whole, Set.copyOf(named), settings)
          : AgentStart.unknown(command, whole, Set.copyOf(named));
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(ExitCodes.USAGE, e.getMessage() + ".", e);
    }
  }
}
