package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.host.acp.SessionSettings;
import dev.bridle.host.bridge.BridgeHandler;
import dev.bridle.host.bridge.BridgeListener;
import dev.bridle.host.bridge.BridgeServices;
import dev.bridle.host.preset.AgentStart;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Spawner;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How an agent waits for room. Its program does not exist, so that the failure of its start shows
 * that it had room.
 */
@Timeout(180)
final class RoomForAgentsTest {
  private static final long TOTAL = 100;

  @TempDir private Path folder;
  private final MemoryBudget memory = new MemoryBudget(TOTAL);
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger looks = new AtomicInteger();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  private AgentProcesses processes(OptionalLong each) throws Exception {
    return new AgentProcesses(
        AgentLauncher.create(new Spawner(), Optional.empty(), timer),
        new HostSettings(
            AgentStart.unknown(List.of(folder.resolve("none").toString()), Map.of(), Set.of()),
            "test",
            ProcessScope.SESSION,
            new ProcessBounds(1, each, Duration.ofMinutes(1)),
            SessionSettings.NONE,
            Duration.ofMinutes(1),
            false),
        memory,
        timer,
        agent -> {});
  }

  private void takeInVain(AgentProcesses processes, Runnable makeRoom) {
    assertThatThrownBy(() -> processes.take(folder, task(() -> {}), bridge(), () -> look(makeRoom)))
        .isInstanceOf(TaskFailure.class)
        .hasFieldOrPropertyWithValue("code", "agent_start");
  }

  private void look(Runnable makeRoom) {
    looks.incrementAndGet();
    makeRoom.run();
  }

  private static BridgeHandler bridge() {
    return new BridgeHandler(
        BridgeServices.none(),
        (BridgeListener)
            Proxy.newProxyInstance(
                RoomForAgentsTest.class.getClassLoader(),
                new Class<?>[] {BridgeListener.class},
                (self, method, arguments) -> {
                  throw new AssertionError(method);
                }));
  }

  /** A task of which only is asked whether it was cancelled. */
  private static TaskContext task(Runnable throwIfCancelled) {
    return (TaskContext)
        Proxy.newProxyInstance(
            RoomForAgentsTest.class.getClassLoader(),
            new Class<?>[] {TaskContext.class},
            (self, method, arguments) -> {
              if (!method.getName().equals("throwIfCancelled")) {
                throw new AssertionError(method);
              }
              throwIfCancelled.run();
              return null;
            });
  }

  @Test
  void whereThereIsRoomNobodyIsAskedForIt() throws Exception {
    takeInVain(processes(OptionalLong.of(TOTAL)), () -> {});

    assertThat(looks).hasValue(0);
  }

  @Test
  void anAgentWaitsUntilItsMemoryIsFree() throws Exception {
    assertThat(memory.tryTake(60)).isTrue();
    takeInVain(
        processes(OptionalLong.of(50)),
        () -> {
          if (looks.get() == 3) {
            memory.giveBack(60);
          }
        });

    assertThat(looks).hasValue(3);
  }

  @Test
  void aStartThatFailsGivesItsMemoryAndItsPlaceBack() throws Exception {
    AgentProcesses processes = processes(OptionalLong.of(TOTAL));
    takeInVain(processes, () -> {});
    takeInVain(processes, () -> {});

    assertThat(looks).hasValue(0);
    assertThat(memory.tryTake(TOTAL)).isTrue();
  }

  @Test
  void aTaskThatIsCancelledWhileItWaitsLeavesNothingTaken() throws Exception {
    AgentProcesses processes = processes(OptionalLong.of(50));
    assertThat(memory.tryTake(TOTAL)).isTrue();
    IllegalStateException cancelled = new IllegalStateException("cancelled");
    TaskContext task =
        task(
            () -> {
              throw cancelled;
            });

    assertThatThrownBy(() -> processes.take(folder, task, bridge(), () -> {})).isSameAs(cancelled);
    memory.giveBack(TOTAL);
    takeInVain(processes, () -> {});
    assertThat(looks).hasValue(0);
    assertThat(memory.tryTake(TOTAL)).isTrue();
  }

  @Test
  void anAgentWithoutABoundWaitsForMemoryToo() throws Exception {
    assertThat(memory.tryTake(1)).isTrue();
    takeInVain(processes(OptionalLong.empty()), () -> memory.giveBack(1));

    assertThat(looks).hasValue(1);
    assertThat(memory.tryTake(TOTAL)).as("all is given back").isTrue();
  }

  @Test
  void anAgentThatWaitsForMemoryLeavesItsPlaceToAnother() throws Exception {
    AgentProcesses processes = processes(OptionalLong.of(50));
    assertThat(memory.tryTake(60)).isTrue();
    takeInVain(
        processes,
        () -> {
          memory.giveBack(60);
          takeInVain(processes, () -> {}); // The only place is free.
        });

    assertThat(looks).hasValue(1);
  }
}
