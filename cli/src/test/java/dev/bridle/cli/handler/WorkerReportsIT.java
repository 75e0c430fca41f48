package dev.bridle.cli.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.cli.up.ServerWithWorkers;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.RandomPlan;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of a real worker, over sockets, as a client of the real server sees them. */
final class WorkerReportsIT {
  private static final long SEED = 35;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private ServerWithWorkers server;

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void reportsAreEventsInTheirOrderWhateverCarriesThem() throws IOException {
    start(UnaryOperator.identity());
    reportMany();
  }

  @Tag("slow")
  @Test
  void reportsAreEventsInTheirOrderAndOnceUnderFaultsOfTheStorage() throws IOException {
    long seed = Long.getLong(RandomPlan.SEED, SEED);
    start(store -> new FaultyStore(store, RandomPlan.hidden(seed)));
    reportMany();
  }

  private void reportMany() {
    try (Worker worker = worker(WorkerReportsIT::reportAll)) {
      worker.start();
      String task = server.submit();
      assertThat(server.ended(task)).isEqualTo("COMPLETED");
      assertThat(reported(task)).containsExactlyElementsOf(names(60));
    }
  }

  private static TaskResult reportAll(TaskContext task) {
    for (String name : names(60)) {
      if (name.endsWith("7")) {
        task.message(name, name);
      } else {
        report(task, name);
      }
    }
    return TaskResult.of("done");
  }

  @Test
  void progressIsSeenWhileTheHandlerWorks() throws Exception {
    start(UnaryOperator.identity());
    CountDownLatch go = new CountDownLatch(1);
    TaskHandler handler =
        task -> {
          report(task, "r0");
          go.await();
          return TaskResult.of("done");
        };
    try (Worker worker = worker(handler)) {
      worker.start();
      String task = server.submit();
      await().atMost(PATIENCE).until(() -> reported(task).equals(List.of("r0")));
      assertThat(server.status(task)).isEqualTo("WORKING");
      go.countDown();
      assertThat(server.ended(task)).isEqualTo("COMPLETED");
    }
  }

  @Test
  void aRejectedReportReachesTheHandlerAndTheRestIsApplied() throws IOException {
    start(UnaryOperator.identity());
    List<CallRefused> seen = new ArrayList<>();
    TaskHandler handler =
        task -> {
          report(task, "r0");
          task.event("bad", "task.completed", Json.object());
          report(task, "r1");
          try {
            task.flush();
          } catch (CallRefused e) {
            seen.add(e);
          }
          return TaskResult.of("done");
        };
    try (Worker worker = worker(handler)) {
      worker.start();
      String task = server.submit();
      assertThat(server.ended(task)).isEqualTo("COMPLETED");
      assertThat(seen).singleElement().satisfies(e -> assertThat(e.stepKey()).hasValue("bad"));
      assertThat(reported(task)).containsExactly("r0", "r1");
    }
  }

  @Test
  void aTaskIsNotCompletedOverARejectedReport() throws IOException {
    start(UnaryOperator.identity());
    TaskHandler handler =
        task -> {
          report(task, "r0");
          task.event("bad", "task.completed", Json.object());
          return TaskResult.of("done");
        };
    try (Worker worker = worker(handler)) {
      worker.start();
      String task = server.submit();
      assertThat(server.ended(task)).isEqualTo("FAILED");
      assertThat(server.client().get("/v1/tasks/" + task).text())
          .contains("handler_error", "CallRefused: report `bad`: ");
      assertThat(reported(task)).containsExactly("r0");
    }
  }

  @Tag("slow")
  @Test
  void theNextRunReportsWhatAWorkerThatWasCutOffHadOnlyAccepted() throws Exception {
    start(UnaryOperator.identity());
    CountDownLatch durable = new CountDownLatch(1);
    CountDownLatch cut = new CountDownLatch(1);
    TaskHandler handler =
        task -> {
          report(task, "r0");
          report(task, "r1");
          task.flush();
          durable.countDown();
          if (task.attempt() == 1) {
            cut.await();
          }
          report(task, "r2");
          report(task, "r3");
          return TaskResult.of("done in attempt " + task.attempt());
        };
    ManagedChannel first = server.channel();
    Worker lost = worker(first, handler);
    lost.start();
    String task = server.submit();
    durable.await();
    first.shutdownNow();
    cut.countDown();
    try (Worker next = worker(handler)) {
      next.start();
      assertThat(server.ended(task)).isEqualTo("COMPLETED");
    } finally {
      lost.close();
    }
    assertThat(reported(task)).containsExactly("r0", "r1", "r2", "r3");
    assertThat(server.eventsAsText(task)).contains("done in attempt 2");
  }

  private void start(UnaryOperator<KeyValueStore> around) throws IOException {
    server =
        ServerWithWorkers.start(
            LocalServerOptions.of(directory)
                .withCore(
                    CoreOptions.DEFAULT
                        .withListener("127.0.0.1", 0)
                        .withTasks(
                            TaskOptions.DEFAULT.withLease(
                                Duration.ofSeconds(3), Duration.ofMillis(500))))
                .withAround(around));
  }

  private Worker worker(TaskHandler handler) {
    return worker(server.channel(), handler);
  }

  private Worker worker(ManagedChannel channel, TaskHandler handler) {
    return server
        .worker(channel, "reporter")
        .closeGrace(Duration.ofSeconds(1))
        .handler(handler)
        .build();
  }

  /** Returns the names of the reports of a task, in the order of its log. */
  private List<String> reported(String task) {
    List<String> names = new ArrayList<>();
    for (JsonNode event : server.events(task)) {
      JsonNode payload = event.get("payload");
      switch (event.get("event").textValue()) {
        case "vendor.bridle.progress" -> names.add(payload.get("text").textValue());
        case "vendor.note" -> names.add(payload.get("name").textValue());
        case "agent.message" -> names.add(payload.get("parts").get(0).get("text").textValue());
        default -> {}
      }
    }
    return names;
  }

  private static void report(TaskContext task, String name) {
    if (name.hashCode() % 2 == 0) {
      task.progressAs(name, name, OptionalDouble.empty());
    } else {
      task.event(name, "vendor.note", Json.object().put("name", name));
    }
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(n -> "r" + n).toList();
  }
}
