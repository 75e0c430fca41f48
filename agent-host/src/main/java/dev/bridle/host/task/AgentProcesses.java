package dev.bridle.host.task;

import dev.bridle.host.acp.AcpConnection;
import dev.bridle.host.acp.AcpException;
import dev.bridle.host.acp.AcpOptions;
import dev.bridle.host.acp.Initialized;
import dev.bridle.host.acp.OpenedSession;
import dev.bridle.host.acp.SessionSetup;
import dev.bridle.host.bridge.BridgeHandler;
import dev.bridle.host.process.AgentCommand;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.StopGrace;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The processes of a host: as many as its bounds allow, one for several sessions if they share. */
final class AgentProcesses {
  private static final long LOOK_MILLIS = 200;

  /** After what time from its start an agent's missing introduction is reported. */
  private static final long AWAITED_SECONDS = 10;

  private final AgentLauncher launcher;
  private final HostSettings settings;
  private final MemoryBudget memory;
  private final ScheduledExecutorService timer;
  private final Introductions introductions;
  private final Semaphore free;

  /** Those that sessions share, by their folders; guarded by this. */
  private final Map<Path, Shared> shared = new HashMap<>();

  private static final class Shared {
    private final RunningAgent agent;
    private int users;

    Shared(RunningAgent agent) {
      this.agent = agent;
    }
  }

  AgentProcesses(
      AgentLauncher launcher,
      HostSettings settings,
      MemoryBudget memory,
      ScheduledExecutorService timer,
      Introductions introductions) {
    this.launcher = launcher;
    this.settings = settings;
    this.memory = memory;
    this.timer = timer;
    this.introductions = introductions;
    this.free = new Semaphore(settings.bounds().processes());
  }

  /**
   * Returns an agent for a session: a started one if sessions share them.
   *
   * @param bridge takes what the agent sends that is not of a session
   * @param makeRoom called while there are too many: ends one that nobody uses, if there is one
   */
  RunningAgent take(Path folder, TaskContext task, BridgeHandler bridge, Runnable makeRoom)
      throws TaskFailure, InterruptedException {
    if (settings.scope() != ProcessScope.DAEMON) {
      return start(folder, task, bridge, makeRoom);
    }
    Optional<RunningAgent> ended = Optional.empty();
    synchronized (this) {
      Shared there = shared.get(folder);
      if (there != null && !there.agent.hasEnded()) {
        there.users++;
        return there.agent;
      }
      if (there != null) {
        shared.remove(folder);
        ended = Optional.of(there.agent);
      }
    }
    ended.ifPresent(this::end);
    RunningAgent started = start(folder, task, bridge, makeRoom);
    synchronized (this) {
      Shared first = shared.computeIfAbsent(folder, path -> new Shared(started));
      first.users++;
      if (first.agent.equals(started)) {
        return started;
      }
    }
    end(started);
    return take(folder, task, bridge, makeRoom);
  }

  /**
   * Takes an agent back from a session. It ends if no other session uses it.
   *
   * @param isLost whether it is of no use any more to any session
   */
  void giveBack(Path folder, RunningAgent agent, boolean isLost) {
    synchronized (this) {
      Shared there = shared.get(folder);
      if (there != null && there.agent.equals(agent)) {
        there.users--;
        if (there.users > 0 && !isLost) {
          return;
        }
        shared.remove(folder);
      } else if (settings.scope() == ProcessScope.DAEMON) {
        return; // Another session has found it lost, and has ended it.
      }
    }
    end(agent);
  }

  private void end(RunningAgent agent) {
    try {
      agent.stop();
    } finally {
      release(agent.memory());
    }
  }

  private void release(TakenMemory taken) {
    taken.giveBack();
    free.release();
  }

  private RunningAgent start(Path folder, TaskContext task, BridgeHandler bridge, Runnable makeRoom)
      throws TaskFailure, InterruptedException {
    TakenMemory taken = reserve(task, makeRoom);
    boolean started = false;
    try {
      RunningAgent agent = start(folder, bridge, taken);
      started = true;
      return agent;
    } finally {
      if (!started) {
        release(taken);
      }
    }
  }

  /** Waits for a place and memory at once: one that waits for memory keeps no place. */
  private TakenMemory reserve(TaskContext task, Runnable makeRoom) throws InterruptedException {
    while (true) {
      if (free.tryAcquire()) {
        Optional<TakenMemory> taken = TakenMemory.take(memory, settings.bounds().memoryBytes());
        if (taken.isPresent()) {
          return taken.get();
        }
        free.release();
      }
      waitForRoom(task, makeRoom);
    }
  }

  private static void waitForRoom(TaskContext task, Runnable makeRoom) throws InterruptedException {
    makeRoom.run();
    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    task.throwIfCancelled();
  }

  private RunningAgent start(Path folder, BridgeHandler bridge, TakenMemory taken)
      throws TaskFailure, InterruptedException {
    AgentProcess process;
    try {
      process =
          launcher.start(
              new AgentCommand(
                  "agent",
                  settings.start().arguments(),
                  folder,
                  settings.start().environment(),
                  settings.bounds().memoryBytes()));
    } catch (IOException | IllegalArgumentException e) {
      throw new TaskFailure("agent_start", "The agent can't be started: " + e.getMessage(), e);
    }
    taken.watch(process, timer);
    AcpOptions plain = AcpOptions.of(settings.version());
    AcpConnection connection =
        AcpConnection.start(
            "agent",
            process.output(),
            process.input(),
            plain
                .servedBy(bridge)
                .completingInput(settings.start().requests().completesInput())
                .openingWith(settings.start().session().meta()),
            timer);
    try {
      Initialized agent = introduced(connection, plain.timeouts().initialize());
      introductions.introduced(agent);
      SessionSetup.logIn(connection, agent, settings.chosen());
      return new RunningAgent(process, connection, agent, bridge, taken);
    } catch (AcpException e) {
      throw refused(process, connection, e);
    } catch (InterruptedException e) {
      connection.close(); // A login may wait for a person.
      process.stop(StopGrace.DEFAULT).join();
      throw e;
    }
  }

  private Initialized introduced(AcpConnection connection, Duration limit)
      throws AcpException, InterruptedException {
    Future<?> late =
        timer.schedule(() -> introductions.awaited(limit), AWAITED_SECONDS, TimeUnit.SECONDS);
    try {
      return connection.initialize();
    } finally {
      late.cancel(false);
    }
  }

  /**
   * Makes the settings that a person chose in a session of an agent, or those that make it ask.
   *
   * @throws AcpException if the agent does not offer one of them, or refuses it
   */
  void configure(OpenedSession opened) throws AcpException, InterruptedException {
    introductions.opened(opened);
    SessionSetup.apply(
        opened,
        settings.start().session().settings(settings.chosen()),
        settings.start().askingModes());
  }

  /** Ends an agent that did not open a session, and returns what its task fails with. */
  static TaskFailure refused(AgentProcess process, AcpConnection connection, AcpException why) {
    boolean mayHaveEnded = why.reason() == AcpException.Reason.NO_ANSWER;
    String tail =
        (mayHaveEnded
                ? LastWords.of(process, connection.peer())
                : LastWords.ofRunning(process, connection.peer()))
            .sentence();
    connection.close();
    process.stop(StopGrace.DEFAULT).join();
    Optional<String> excess = process.memoryExcess();
    String code =
        switch (why.reason()) {
          case LOGIN -> "agent_login";
          case SETTING -> "agent_setting";
          default -> excess.isPresent() ? "agent_memory" : "agent_start";
        };
    String reason = excess.orElse(why.getMessage());
    String message = "The agent did not open a session: " + reason + tail;
    return new TaskFailure(code, KeptText.of(message, KeptText.MOST_FAILURE), why);
  }
}
