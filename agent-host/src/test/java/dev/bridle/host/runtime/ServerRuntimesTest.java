package dev.bridle.host.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Spawner;
import dev.bridle.host.task.MemoryBudget;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
final class ServerRuntimesTest {
  @TempDir private Path folder;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  /** Its tasks would wait for ever. */
  @Test
  void aRuntimeThatNeedsMoreMemoryThanAllMayHaveTakesNoTasks() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("runtimes.json"),
            "{\"runtimes\":{\"big\":{\"command\":[\"agent\"],\"memory_mb\":2}}}");
    List<String> notices = new CopyOnWriteArrayList<>();
    RuntimePlace place =
        new RuntimePlace(
            AgentLauncher.create(new Spawner(), Optional.empty(), timer),
            folder,
            Optional.empty(),
            Map.of(),
            new MemoryBudget((2 << 20) - 1),
            "test",
            timer);

    try (ServerRuntimes runtimes = new ServerRuntimes(place, unused(), file, notices::add)) {
      runtimes.start();

      assertThat(runtimes.names()).isEmpty();
      assertThat(notices)
          .containsExactly("runtime big can't start: memory_mb is more than all may have");
    }
  }

  /** A core that nobody may call. */
  private static RuntimeCore unused() {
    return (RuntimeCore)
        Proxy.newProxyInstance(
            ServerRuntimesTest.class.getClassLoader(),
            new Class<?>[] {RuntimeCore.class},
            (self, method, arguments) -> {
              throw new AssertionError(method);
            });
  }
}
