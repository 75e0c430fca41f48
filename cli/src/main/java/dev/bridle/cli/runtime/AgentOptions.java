package dev.bridle.cli.runtime;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.host.preset.AgentPreset;
import dev.bridle.host.preset.AgentPresets;
import dev.bridle.host.preset.AgentStart;
import dev.bridle.host.runtime.RuntimeFile;
import dev.bridle.host.runtime.RuntimeHomes;
import dev.bridle.host.runtime.RuntimeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** An agent's command, and what it is started with. */
public final class AgentOptions {
  @Option(
      names = "--env",
      paramLabel = "NAME",
      description = "A variable of your environment that the agent gets, too. Repeatable.")
  private List<String> named = new ArrayList<>();

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "The agent's command, after '--'.")
  private List<String> command = new ArrayList<>();

  /** Creates the options; called by picocli. */
  public AgentOptions() {}

  /** Returns the agent's program, as it was spelled. */
  public String program() {
    return command.get(0);
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
      return preset.isPresent()
          ? AgentStart.of(preset.get(), command, whole, Set.copyOf(named), settings)
          : AgentStart.unknown(command, whole, Set.copyOf(named));
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(ExitCodes.USAGE, e.getMessage() + ".", e);
    }
  }
}
