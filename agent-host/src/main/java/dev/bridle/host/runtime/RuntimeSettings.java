package dev.bridle.host.runtime;

import dev.bridle.host.acp.SessionSettings;
import dev.bridle.host.preset.AgentPreset;
import dev.bridle.host.preset.AgentPresets;
import dev.bridle.host.task.ProcessBounds;
import dev.bridle.host.task.ProcessScope;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A runtime of a file.
 *
 * @param name its name in the file
 * @param launch what is started
 * @param tasks which tasks it gets
 * @param bounds what it may use
 * @param toolSearch where tools are searched with the strategy {@code host}
 */
public record RuntimeSettings(
    String name, Launch launch, Tasks tasks, ProcessBounds bounds, Optional<URI> toolSearch) {

  /**
   * What is started. Values of variables may be secrets, so {@link #toString} has no values.
   *
   * @param command program and arguments
   * @param preset the name of the preset that makes it ask; by its program's name if empty
   * @param mustAsk whether it has to ask before it acts; with a preset always
   * @param environment variables with their values
   * @param passed names of variables of the server's own environment that it gets
   * @param scope how long a process lives
   * @param chosen its login, its mode and its options
   */
  public record Launch(
      List<String> command,
      Optional<String> preset,
      boolean mustAsk,
      Map<String, String> environment,
      Set<String> passed,
      ProcessScope scope,
      SessionSettings chosen) {
    /** Copies. */
    public Launch {
      command = List.copyOf(command);
      environment = Map.copyOf(environment);
      passed = Set.copyOf(passed);
    }

    /** Returns the preset that makes it ask, where there is one. */
    public Optional<AgentPreset> known() {
      AgentPresets all = AgentPresets.load();
      return preset.isPresent() ? all.named(preset.get()) : all.of(command);
    }

    @Override
    public String toString() {
      return "Launch[" + command.get(0) + ", " + environment.keySet() + ", " + scope + "]";
    }
  }

  /**
   * Which tasks a runtime gets: those of any of the personas in any of the workspaces; where a set
   * is empty, of all of them.
   *
   * @param tenant the tenant
   * @param personas ids or names of personas
   * @param workspaces ids of workspaces
   */
  public record Tasks(String tenant, Set<String> personas, Set<String> workspaces) {
    /** Copies. */
    public Tasks {
      personas = Set.copyOf(personas);
      workspaces = Set.copyOf(workspaces);
    }
  }
}
