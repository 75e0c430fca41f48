package dev.bridle.host.preset;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.acp.SessionSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How an agent that somebody else made is started so that it asks before each action, whatever the
 * settings of the project say that it works on. Such settings belong to whoever wrote the project:
 * they may allow everything, or name programs that the agent starts by itself.
 *
 * @param name the agent's name, for people
 * @param programs the names of its program
 * @param appended arguments that are added
 * @param argumentFiles arguments that are added, and name a file
 * @param refused arguments that would stop it from asking, which nobody may give
 * @param askingModes the modes in which it asks; a person may choose none of the others
 * @param passed variables that it gets if they are there: its providers' keys and its own settings
 * @param set variables with fixed values
 * @param merged variables that hold JSON objects: these members replace those that are given
 * @param files variables that name a file with this JSON, written anew at each start
 * @param session how its sessions are opened
 * @param requests how it asks
 * @param about what is shown to people about it
 */
public record AgentPreset(
    String name,
    Set<String> programs,
    List<String> appended,
    List<ArgumentFile> argumentFiles,
    Set<String> refused,
    Set<String> askingModes,
    Set<String> passed,
    Map<String, String> set,
    Map<String, JsonNode> merged,
    Map<String, JsonNode> files,
    SessionPreset session,
    RequestTraits requests,
    About about) {
  /** The configuration option that sets the mode. */
  private static final String MODE = "mode";

  /**
   * What is shown to people about an agent.
   *
   * @param command the usual command that starts it
   * @param tested the versions that it was tested with
   * @param asking how it is made to ask
   * @param limits what is not promised of it
   */
  public record About(String command, List<String> tested, String asking, List<String> limits) {
    /** Copies. */
    public About {
      tested = List.copyOf(tested);
      limits = List.copyOf(limits);
    }
  }

  /** Copies. */
  public AgentPreset {
    programs = Set.copyOf(programs);
    appended = List.copyOf(appended);
    argumentFiles = List.copyOf(argumentFiles);
    refused = Set.copyOf(refused);
    askingModes = Set.copyOf(askingModes);
    passed = Set.copyOf(passed);
    set = Map.copyOf(set);
    merged = Map.copyOf(merged);
    files = Map.copyOf(files);
  }

  /**
   * Checks what a person chose for the agent.
   *
   * @throws IllegalArgumentException if it has a mode in which the agent may act without asking
   */
  public void checkChosen(SessionSettings chosen) {
    chosen.mode().ifPresent(this::checkMode);
    chosen.options().entrySet().stream()
        .filter(option -> option.getKey().equalsIgnoreCase(MODE))
        .forEach(option -> checkMode(option.getValue()));
  }

  private void checkMode(String mode) {
    if (!askingModes.contains(mode)) {
      throw new IllegalArgumentException(
          "In the mode '"
              + mode
              + "' it is not certain that "
              + name
              + " asks; choose one of "
              + String.join(", ", askingModes.stream().sorted().toList())
              + ", or none");
    }
  }

  /** Returns whether a command starts this agent. */
  boolean starts(List<String> command) {
    return isOneOf(programs, command);
  }

  /** Returns whether a command starts one of some programs, wherever it is. */
  static boolean isOneOf(Set<String> programs, List<String> command) {
    Path program = Path.of(command.get(0)).getFileName();
    return program != null && programs.contains(program.toString());
  }
}
