package dev.bridle.host.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Starts agents in the best isolation that the machine offers. One for a process; it and its
 * spawner stay as long as that lives.
 */
public final class AgentLauncher {
  private final Spawner spawner;
  private final Isolation isolation;
  private final ScheduledExecutorService timer;
  private final Isolation.Identity identity;
  private final int swept;

  private AgentLauncher(
      Spawner spawner,
      Isolation isolation,
      Isolation.Identity identity,
      ScheduledExecutorService timer,
      int swept) {
    this.spawner = spawner;
    this.identity = identity;
    this.isolation = isolation;
    this.timer = timer;
    this.swept = swept;
  }

  /** Creates a launcher as below that denies no ports. */
  public static AgentLauncher create(
      Spawner spawner, Optional<Path> hidden, ScheduledExecutorService timer)
      throws IOException, InterruptedException {
    return create(spawner, hidden, List.of(), timer);
  }

  /**
   * Tries what the machine offers, and kills what hosts left that are gone.
   *
   * @param hidden a folder that agents are not to see; whether they don't, the tier says
   * @param ports ports of this machine that agents are not to call, which only the tier {@link
   *     IsolationTier#DENIED_FOLDER} denies; {@link Isolation#deniedPorts} are those denied
   * @param timer watches processes; it may be shared
   * @throws IOException if the folder does not exist, or the guard can't be started
   */
  public static AgentLauncher create(
      Spawner spawner, Optional<Path> hidden, List<Integer> ports, ScheduledExecutorService timer)
      throws IOException, InterruptedException {
    Optional<Path> real = Optional.empty();
    if (hidden.isPresent()) {
      real = Optional.of(hidden.get().toRealPath());
    }
    return of(
        spawner, new IsolationProbe(spawner, IsolationProbe.identity()).find(real, ports), timer);
  }

  static AgentLauncher of(Spawner spawner, Isolation isolation, ScheduledExecutorService timer)
      throws IOException, InterruptedException {
    if (isolation.tier() == IsolationTier.MARKED) {
      spawner.guard(OrphanGuard.command(HostMark.create()));
    }
    Isolation.Identity identity = IsolationProbe.identity();
    if (isolation.tier().hidesFiles()) {
      identity = identity.hiding(isolation.hidden().orElseThrow());
    }
    return new AgentLauncher(spawner, isolation, identity, timer, MarkedProcesses.sweepOrphans());
  }

  /** What is promised of every agent, and what is not. */
  public Isolation isolation() {
    return isolation;
  }

  /** How many processes of earlier hosts were found and killed. */
  public int swept() {
    return swept;
  }

  /**
   * Starts an agent.
   *
   * @throws IOException if there is no such program or folder, or the folder is hidden
   */
  public AgentProcess start(AgentCommand command) throws IOException, InterruptedException {
    Path directory = command.directory().toRealPath();
    boolean isOfSockets =
        isolation.tier().hidesFiles()
            && SocketFolders.of(identity.user()).stream().anyMatch(directory::startsWith);
    if (isolation.isHidden(directory) || isOfSockets) {
      throw new IOException("The folder " + directory + " is hidden from agents");
    }
    if (!command.found()) {
      throw new IOException("There is no program " + command.arguments().get(0));
    }
    HostMark mark = HostMark.create();
    ProcessBuilder builder =
        new ProcessBuilder(isolation.wrap(command.arguments(), identity))
            .directory(directory.toFile());
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(command.environment().variables());
    environment.put(HostMark.VARIABLE, mark.text());
    AgentProcess process =
        new AgentProcess(command, spawner.start(builder), isolation.nested(), mark, timer);
    process.begin();
    return process;
  }
}
