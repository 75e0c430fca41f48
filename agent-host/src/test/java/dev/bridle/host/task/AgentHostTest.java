package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.host.acp.SessionSettings;
import dev.bridle.host.preset.AgentStart;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Spawner;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a task and that of the host which takes it. */
class AgentHostTest {
  @TempDir private Path folder;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void aTaskOfAnotherFolderFailsByNameBeforeAnAgentStarts() throws Exception {
    AgentHost host =
        new AgentHost(
            AgentLauncher.create(new Spawner(), Optional.empty(), timer),
            HostSettings.ofPerson(
                AgentStart.unknown(List.of("none"), Map.of(), Set.of()),
                "test",
                OptionalLong.empty(),
                SessionSettings.NONE),
            Workplace.only(folder),
            MemoryBudget.unlimited(),
            Offers.none(),
            timer,
            agent -> {});

    for (Optional<String> other : List.of(Optional.of(folder + "2"), Optional.<String>empty())) {
      assertThatThrownBy(() -> host.handle(task(other)))
          .isInstanceOf(TaskFailure.class)
          .hasFieldOrPropertyWithValue("code", "wrong_folder")
          .hasMessageContaining(other.orElse("(none)"))
          .hasMessageContaining(folder.toString());
    }
  }

  /** A task of which only the folder is asked for. */
  private static TaskContext task(Optional<String> folder) {
    return (TaskContext)
        Proxy.newProxyInstance(
            AgentHostTest.class.getClassLoader(),
            new Class<?>[] {TaskContext.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "task" -> Task.getDefaultInstance();
                  case "folder" -> folder;
                  default -> throw new AssertionError(method);
                });
  }
}
