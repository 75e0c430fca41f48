package dev.bridle.cli.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Json;
import dev.bridle.worker.Parts;
import dev.bridle.worker.Permission;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.TaskSuspended;
import dev.bridle.worker.Worker;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Handlers that compute some recorded values anew in a replay. */
final class RefreshedReplayIT extends ReplayedHandlers {
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger looked = new AtomicInteger();

  private final TaskHandler handler =
      task -> {
        String answer =
            task.step(
                "llm:main:1",
                String.class,
                () -> {
                  task.progressAs("asking", "asking the model", OptionalDouble.empty());
                  String said = "answer " + asked.incrementAndGet();
                  if (said.endsWith("4")) {
                    throw new IllegalStateException("the model is gone");
                  }
                  return said;
                });
        int found = task.step("mcp:files:1", Integer.class, looked::incrementAndGet);
        task.progressAs("note", answer + " with " + found, OptionalDouble.empty());
        return TaskResult.of(answer);
      };

  @Test
  void onlyTheNamedValueIsComputedAndTheReceiptSaysThatItIsNoProof() {
    String task = run(handler, "COMPLETED");

    JsonNode replay = replayed(task, refreshing("llm:main:1"), handler);

    assertThat(replay.get("status").textValue()).as(failure(replay)).isEqualTo("COMPLETED");
    assertThat(asked).hasValue(2);
    assertThat(looked).hasValue(1);
    assertThat(payload(replay, "task.completed").get("summary").textValue()).isEqualTo("answer 2");
    assertThat(payloads(replay, "replay.event_replayed"))
        .filteredOn(payload -> payload.has("change"))
        .extracting(
            payload -> payload.get("change").asText() + " " + payload.path("step_key").asText())
        .as("what the computation has reported is as it was")
        .containsExactly("refreshed llm:main:1", "changed note", "ended ");
    JsonNode segment = segment(replay);
    assertThat(segment.at("/replay_input/determinism").textValue()).isEqualTo("best_effort");
    assertThat(segment.at("/deltas/0/override_key").textValue()).isEqualTo("llm:main:1");
    assertThat(segment.at("/metadata/bridle.not_reported").toString()).contains("/cost");

    JsonNode other = segment(replayed(task, refreshing("llm:main:1"), handler));
    assertThat(asked).hasValue(3);
    assertThat(other.get("receipt_id"))
        .as("another answer")
        .isNotEqualTo(segment.get("receipt_id"));

    JsonNode again = replayed(id(replay), Json.object().put("depth", "execute"), handler);
    assertThat(asked).as("the replay of the replay computes nothing").hasValue(3);
    assertThat(payload(again, "task.completed").get("summary").textValue()).isEqualTo("answer 2");

    JsonNode failed = replayed(task, refreshing("llm:main:1"), handler);
    assertThat(asked).hasValue(4);
    assertThat(failed.get("status").textValue()).isEqualTo("FAILED");
    assertThat(failure(failed)).doesNotContain("replay_diverged", "replay_unavailable");
    JsonNode ofFailed = segment(failed);
    assertThat(ofFailed.at("/replay_input/determinism").textValue()).isEqualTo("best_effort");
    assertThat(ofFailed.at("/metadata/bridle.replay/request/refresh").toString())
        .isEqualTo("[\"llm:main:1\"]");
    assertThat(payloads(failed, "replay.event_replayed").toString())
        .as("the handler has come to it")
        .doesNotContain("\"not_taken\",\"step_key\":\"llm:main:1\"");
  }

  @Test
  void aComputationThatIsRepeatedMakesNoMessageAndIsAllowedNothing() {
    TaskHandler says = within(task -> task.message("said", List.of(Parts.text("asking"))));
    TaskHandler asks = within(task -> task.requestPermission("may", mail()));
    String said = run(says, "COMPLETED");
    String asked = allowed(asks);

    JsonNode exact = replayed(asked, Json.object().put("depth", "execute"), asks);
    JsonNode ofSaid = replayed(said, refreshing("llm:main:1"), says);
    JsonNode ofAsked = replayed(asked, refreshing("llm:main:1"), asks);

    assertThat(exact.get("status").textValue()).as(failure(exact)).isEqualTo("COMPLETED");
    assertThat(failure(ofSaid))
        .contains("replay_unavailable", "step said: made by a value that is computed anew");
    assertThat(failure(ofAsked)).contains("replay_unavailable", "An approval is for one use");
    assertThat(payloads(ofAsked, "replay.event_replayed").toString()).doesNotContain("refreshed");
  }

  /** A handler whose computation does something else before it has its value, and catches all. */
  private static TaskHandler within(TaskStep first) {
    return task ->
        TaskResult.of(
            task.step(
                "llm:main:1",
                String.class,
                () -> {
                  try {
                    first.take(task);
                  } catch (TaskSuspended e) {
                    throw e;
                  } catch (RuntimeException e) {
                    return "caught";
                  }
                  return "yes";
                }));
  }

  private interface TaskStep {
    void take(TaskContext task) throws Exception;
  }

  private static Permission mail() {
    return Permission.of("mail", Json.object().put("to", "ada@example.org"), "May I?");
  }

  /** Runs a task that asks, and approves what it asks for. */
  private static String allowed(TaskHandler handler) {
    try (Worker worker = worker(handler)) {
      worker.start();
      String task = server.submit();
      await().atMost(PATIENCE).until(() -> server.status(task).equals("AUTH_REQUIRED"));
      JsonNode request =
          get("/v1/permission-requests?task_id=" + task + "&status=pending").at("/data/0");
      var answer =
          server
              .client()
              .post(
                  "/v1/permission-requests/" + id(request) + "/respond",
                  Json.object().put("approved", true));
      assertThat(answer.status()).as("%s", answer).isEqualTo(200);
      await().atMost(PATIENCE).until(() -> server.status(task).equals("COMPLETED"));
      return task;
    }
  }

  private static ObjectNode refreshing(String key) {
    ObjectNode request = Json.object().put("mode", "with_overrides");
    request.putArray("refresh").add(key);
    return request;
  }
}
