package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.HandlerFacts;
import dev.bridle.worker.ModelCall;
import dev.bridle.worker.SideEffect;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import dev.bridle.worker.v1.CallStatus;
import dev.bridle.worker.v1.FileOperation;
import dev.bridle.worker.v1.HandlerDeterminism;
import dev.bridle.worker.v1.HandoffStatus;
import dev.bridle.worker.v1.WorkerBinding;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The facts of a real worker that a receipt names, over sockets, in the real server. */
final class WorkerFactsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String BEFORE = "sha256:" + "0a".repeat(32);
  private static final String AFTER = "sha256:" + "0b".repeat(32);
  private static final HandlerFacts FACTS =
      HandlerFacts.of("writer", "1.2.0").withBuildDigest(AFTER).withAllRecorded();

  @TempDir private Path directory;
  private LocalServer server;
  private ProtocolClient client;
  private ManagedChannel channel;
  private String key;

  @BeforeEach
  void start() throws IOException {
    server = LocalServer.start(LocalServerOptions.of(directory));
    key = server.firstKey().orElseThrow();
    client = new ProtocolClient(server.baseUrl(), key);
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.grpcPort()).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    var report =
        new StorageChecker(server.store(), KeyLayout.root(), CoreRecords.CATALOG)
            .check(CheckProgress.SILENT);
    server.close();
    assertThat(report.findings()).isEmpty();
  }

  @Test
  void aTaskKeepsTheHandlersFactsItsModelCallsAndItsSideEffects() {
    String task = run(WorkerFactsIT::work);

    TaskRecord record = record(task);
    assertThat(record.getHandler().getName()).isEqualTo("writer");
    assertThat(record.getHandler().getBuildDigest()).isEqualTo(AFTER);
    assertThat(record.getHandler().getDeterminism())
        .isEqualTo(HandlerDeterminism.HANDLER_DETERMINISM_RECORDED);
    assertThat(record.getUsage().getInputTokens()).isEqualTo(812);
    assertThat(record.getUsage().getOutputTokens()).isEqualTo(64);
    assertThat(record.getUsage().getCurrency()).isEqualTo("USD");
    assertThat(record.getUsage().getPricedMicros()).isEqualTo(1235);
    assertThat(kinds(task))
        .containsSubsequence(
            "vendor.bridle.model_called",
            "vendor.bridle.file_written",
            "vendor.bridle.command_run",
            "vendor.bridle.network_egress",
            "vendor.bridle.handed_off",
            "vendor.bridle.tool_called",
            "task.completed");
  }

  private static TaskResult work(TaskContext task) {
    task.modelCall(
        "call",
        ModelCall.of("acme", "large")
            .withVersion("3")
            .withTokens(812, 64)
            .withCost(new BigDecimal("0.0012341"), "USD")
            .withAlternative("acme", "small", "too small")
            .withRouteReason("quality"));
    task.sideEffect(
        "write", SideEffect.fileWrite("a.txt", FileOperation.FILE_OPERATION_MODIFY, BEFORE, AFTER));
    task.sideEffect("run", SideEffect.command("make", 0));
    task.sideEffect("send", SideEffect.networkEgress("example.org", "upload", 12));
    task.sideEffect(
        "hand", SideEffect.handoff("other", "t1", HandoffStatus.HANDOFF_STATUS_COMPLETED, "r1"));
    task.sideEffect(
        "tool",
        SideEffect.toolCall("grep", "c1", CallStatus.CALL_STATUS_SUCCEEDED)
            .withMetadata(Json.object().put("lines", 3)));
    return TaskResult.of("done");
  }

  @Test
  void aSecondRunReportsNothingTwice() {
    String task =
        run(
            context -> {
              TaskResult result = work(context);
              context.flush();
              if (context.attempt() == 1) {
                throw new IllegalStateException("a bad moment");
              }
              return result;
            });
    assertThat(kinds(task)).containsOnlyOnce("vendor.bridle.model_called");
    assertThat(kinds(task)).containsOnlyOnce("vendor.bridle.tool_called");
    assertThat(record(task).getUsage().getInputTokens()).isEqualTo(812);
  }

  @Test
  void aDependencyHasTheKindOfItsKeyAndTheHashOfItsInput() {
    String task =
        run(
            context ->
                TaskResult.of(
                    context
                        .step("llm:main:1", BEFORE, () -> Json.object().put("a", 1))
                        .toString()));
    assertThat(client.get("/v1/tasks/" + task + "/events?limit=200").text())
        .contains("\"kind\":\"llm\"", "\"input_hash\":\"" + BEFORE + "\"");
  }

  @Test
  void aRejectedCurrencyReachesTheHandler() {
    List<CallRefused> seen = new ArrayList<>();
    run(
        context -> {
          context.modelCall("a", ModelCall.of("acme", "large").withCost(BigDecimal.ONE, "USD"));
          context.modelCall("b", ModelCall.of("acme", "large").withCost(BigDecimal.ONE, "EUR"));
          try {
            context.flush();
          } catch (CallRefused e) {
            seen.add(e);
          }
          return TaskResult.of("done");
        });
    assertThat(seen).singleElement().satisfies(e -> assertThat(e.stepKey()).hasValue("b"));
  }

  private String run(TaskHandler handler) {
    try (Worker worker =
        Worker.builder(channel)
            .credentials(key)
            .agentId("writer")
            .bindings(List.of(WorkerBinding.newBuilder().setWorkspaceId("default").build()))
            .handlerFacts(FACTS)
            .handler(handler)
            .build()) {
      worker.start();
      ObjectNode session = Json.object().put("workspace_id", "default");
      String id = client.post("/v1/sessions", session).json().get("id").textValue();
      ObjectNode body = Json.object();
      body.set("input", Json.object().put("text", "work"));
      String task = client.post("/v1/sessions/" + id + "/tasks", body).json().get("id").textValue();
      await().atMost(PATIENCE).until(() -> status(task).equals("COMPLETED"));
      return task;
    }
  }

  private String status(String task) {
    return client.get("/v1/tasks/" + task).json().get("status").textValue();
  }

  private TaskRecord record(String task) {
    return server
        .store()
        .read(tr -> new TaskStore(KeyLayout.root()).find(tr, Tenants.DEFAULT, task))
        .orElseThrow();
  }

  private List<String> kinds(String task) {
    List<String> kinds = new ArrayList<>();
    for (JsonNode event :
        client.get("/v1/tasks/" + task + "/events?limit=200").json().get("data")) {
      kinds.add(event.get("event").textValue());
    }
    return kinds;
  }
}
