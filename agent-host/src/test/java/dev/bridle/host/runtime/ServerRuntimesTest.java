package dev.bridle.host.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.Spawner;
import dev.bridle.host.task.MemoryBudget;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
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
    write("big");
    List<String> notices = new CopyOnWriteArrayList<>();

    try (ServerRuntimes runtimes = runtimes(notices::add)) {
      runtimes.start();

      assertThat(runtimes.names()).isEmpty();
      assertThat(notices)
          .containsExactly("runtime big can't start: memory_mb is more than all may have");
    }
  }

  @Test
  void aLookThatFailsIsNotTheLastOne() throws Exception {
    Files.writeString(file(), "{\"runtimes\":{}}");
    List<String> notices = new CopyOnWriteArrayList<>();
    Consumer<String> listener =
        notice -> {
          notices.add(notice);
          if (notices.size() == 1) {
            throw new IllegalStateException("nobody listens");
          }
        };
    try (ServerRuntimes runtimes = runtimes(listener)) {
      runtimes.start();
      write("first");
      await().until(() -> notices.size() == 1);
      write("second");

      await().until(() -> notices.size() == 2);
      assertThat(notices.get(1)).contains("second");
    }
  }

  private Path file() {
    return folder.resolve("runtimes.json");
  }

  /** Writes the file with a runtime that needs more memory than there is. */
  private void write(String name) throws IOException {
    Path fresh =
        Files.writeString(
            folder.resolve("fresh.json"),
            "{\"runtimes\":{\"" + name + "\":{\"command\":[\"agent\"],\"memory_mb\":2}}}");
    Files.move(fresh, file(), StandardCopyOption.ATOMIC_MOVE);
  }

  private ServerRuntimes runtimes(Consumer<String> notices)
      throws IOException, InterruptedException {
    RuntimePlace place =
        new RuntimePlace(
            AgentLauncher.create(new Spawner(), Optional.empty(), timer),
            folder,
            Optional.empty(),
            Map.of(),
            new MemoryBudget((2 << 20) - 1),
            "test",
            timer);
    return new ServerRuntimes(place, unused(), file(), notices);
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
