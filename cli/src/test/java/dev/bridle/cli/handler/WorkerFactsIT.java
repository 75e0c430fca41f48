package dev.bridle.cli.handler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.cli.up.ServerWithWorkers;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.fixtures.client.Json;
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
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The facts of a real worker that a receipt names, over sockets, in the real server. */
final class WorkerFactsIT {
  private static final String BEFORE = "sha256:" + "0a".repeat(32);
  private static final String AFTER = "sha256:" + "0b".repeat(32);
  private static final HandlerFacts FACTS =
      HandlerFacts.of("writer", "1.2.0").withBuildDigest(AFTER).withAllRecorded();

  @TempDir private Path directory;
  private ServerWithWorkers server;

  @BeforeEach
  void start() throws IOException {
    server = ServerWithWorkers.start(LocalServerOptions.of(directory));
  }

  @AfterEach
  void stop() {
    server.close();
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

  @Tag("slow")
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
    assertThat(server.eventsAsText(task))
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
        server.worker(server.channel(), "writer").handlerFacts(FACTS).handler(handler).build()) {
      worker.start();
      String task = server.submit();
      assertThat(server.ended(task)).isEqualTo("COMPLETED");
      return task;
    }
  }

  private TaskRecord record(String task) {
    return server
        .store()
        .read(tr -> new TaskStore(KeyLayout.root()).find(tr, Tenants.DEFAULT, task))
        .orElseThrow();
  }

  private List<String> kinds(String task) {
    List<String> kinds = new ArrayList<>();
    for (JsonNode event : server.events(task)) {
      kinds.add(event.get("event").textValue());
    }
    return kinds;
  }
}
