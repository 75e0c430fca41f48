package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.RandomPlan;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import dev.bridle.worker.v1.WorkerBinding;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of a real worker, over sockets, as a client of the real server sees them. */
final class WorkerReportsIT {
  private static final long SEED = 35;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private final List<ManagedChannel> channels = new ArrayList<>();
  private LocalServer server;
  private ProtocolClient client;
  private String key;

  @AfterEach
  void stop() {
    channels.forEach(ManagedChannel::shutdownNow);
    var report =
        new StorageChecker(server.store(), KeyLayout.root(), CoreRecords.CATALOG)
            .check(CheckProgress.SILENT);
    server.close();
    assertThat(report.findings()).isEmpty();
  }

  @Test
  void reportsAreEventsInTheirOrderWhateverCarriesThem() throws IOException {
    start(UnaryOperator.identity());
    reportMany();
  }

  @Test
  void reportsAreEventsInTheirOrderAndOnceUnderFaultsOfTheStorage() throws IOException {
    long seed = Long.getLong(RandomPlan.SEED, SEED);
    start(store -> new FaultyStore(store, RandomPlan.hidden(seed)));
    reportMany();
  }

  private void reportMany() {
    try (Worker worker = worker(channel(), WorkerReportsIT::reportAll)) {
      worker.start();
      String task = submit();
      assertThat(ended(task)).isEqualTo("COMPLETED");
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
    try (Worker worker = worker(channel(), handler)) {
      worker.start();
      String task = submit();
      await().atMost(PATIENCE).until(() -> reported(task).equals(List.of("r0")));
      assertThat(status(task)).isEqualTo("WORKING");
      go.countDown();
      assertThat(ended(task)).isEqualTo("COMPLETED");
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
    try (Worker worker = worker(channel(), handler)) {
      worker.start();
      String task = submit();
      assertThat(ended(task)).isEqualTo("COMPLETED");
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
    try (Worker worker = worker(channel(), handler)) {
      worker.start();
      String task = submit();
      assertThat(ended(task)).isEqualTo("FAILED");
      assertThat(client.get("/v1/tasks/" + task).text())
          .contains("handler_error", "CallRefused: report `bad`: ");
      assertThat(reported(task)).containsExactly("r0");
    }
  }

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
    ManagedChannel first = channel();
    Worker lost = worker(first, handler);
    lost.start();
    String task = submit();
    durable.await();
    first.shutdownNow();
    cut.countDown();
    try (Worker next = worker(channel(), handler)) {
      next.start();
      assertThat(ended(task)).isEqualTo("COMPLETED");
    } finally {
      lost.close();
    }
    assertThat(reported(task)).containsExactly("r0", "r1", "r2", "r3");
    assertThat(client.get("/v1/tasks/" + task + "/events?limit=200").text())
        .contains("done in attempt 2");
  }

  private void start(UnaryOperator<KeyValueStore> around) throws IOException {
    server =
        LocalServer.start(
            LocalServerOptions.of(directory)
                .withCore(
                    CoreOptions.DEFAULT
                        .withListener("127.0.0.1", 0)
                        .withTasks(
                            TaskOptions.DEFAULT.withLease(
                                Duration.ofSeconds(3), Duration.ofMillis(500))))
                .withAround(around));
    key = server.firstKey().orElseThrow();
    client = new ProtocolClient(server.baseUrl(), key);
  }

  private ManagedChannel channel() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.grpcPort()).usePlaintext().build();
    channels.add(channel);
    return channel;
  }

  private Worker worker(ManagedChannel channel, TaskHandler handler) {
    return Worker.builder(channel)
        .credentials(key)
        .agentId("reporter")
        .bindings(List.of(WorkerBinding.newBuilder().setWorkspaceId("default").build()))
        .closeGrace(Duration.ofSeconds(1))
        .handler(handler)
        .build();
  }

  private String submit() {
    ObjectNode session = Json.object().put("workspace_id", "default");
    String id = client.post("/v1/sessions", session).json().get("id").textValue();
    ObjectNode task = Json.object();
    task.set("input", Json.object().put("text", "report"));
    return client.post("/v1/sessions/" + id + "/tasks", task).json().get("id").textValue();
  }

  private String status(String task) {
    return client.get("/v1/tasks/" + task).json().get("status").textValue();
  }

  private String ended(String task) {
    List<String> open = List.of("SUBMITTED", "WORKING");
    await().atMost(PATIENCE).until(() -> !open.contains(status(task)));
    return status(task);
  }

  /** Returns the names of the reports of a task, in the order of its log. */
  private List<String> reported(String task) {
    List<String> names = new ArrayList<>();
    for (JsonNode event :
        client.get("/v1/tasks/" + task + "/events?limit=200").json().get("data")) {
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
