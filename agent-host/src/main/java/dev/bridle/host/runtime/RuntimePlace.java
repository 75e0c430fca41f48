package dev.bridle.host.runtime;

import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.task.MemoryBudget;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Where the runtimes of a server run.
 *
 * @param launcher starts processes
 * @param homes a folder for the homes of runtimes, outside of what agents can't see
 * @param workspaceRoot the folder that workspaces have their folders in, if there is one
 * @param environment the server's own environment, of which a runtime gets what its settings name
 * @param memory what all processes may have together
 * @param version the version of this program
 * @param timer runs timeouts and looks
 */
public record RuntimePlace(
    AgentLauncher launcher,
    Path homes,
    Optional<Path> workspaceRoot,
    Map<String, String> environment,
    MemoryBudget memory,
    String version,
    ScheduledExecutorService timer) {
  /** Copies. */
  public RuntimePlace {
    environment = Map.copyOf(environment);
  }

  @Override
  public String toString() {
    return "RuntimePlace[" + homes + "]";
  }
}
