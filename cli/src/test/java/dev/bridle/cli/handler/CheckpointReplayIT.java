package dev.bridle.cli.handler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Json;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import org.junit.jupiter.api.Test;

/** Handlers of real workers whose replay begins at a checkpoint. */
final class CheckpointReplayIT extends ReplayedHandlers {
  /** Says something before and after a checkpoint. */
  private static TaskHandler handler(String before, String after) {
    return task -> {
      note(task, "before", before);
      task.step("llm:1", before.equals("one") ? "" : HASH, () -> Json.object().put("n", 1));
      JsonNode state = task.checkpoint("half", Json.object().put("total", 1));
      note(task, "after", after + state.get("total"));
      String answer = task.step("llm:2", String.class, () -> "yes");
      return TaskResult.of("It was " + answer + ".");
    };
  }

  private static final String HASH = "sha256:" + "a".repeat(64);

  private static void note(TaskContext task, String key, String text) {
    task.event(key, "vendor.note", Json.object().put("text", text));
  }

  private static ObjectNode from() {
    return Json.object().put("mode", "from_checkpoint").put("checkpoint_id", "half");
  }

  @Test
  void whatComesBeforeACheckpointIsTakenAsItIs() {
    String task = run(handler("one", "two"), "COMPLETED");
    TaskHandler otherBefore = handler("another", "two");

    JsonNode whole = replayed(task, otherBefore);
    JsonNode rest = replayed(task, from(), otherBefore);

    assertThat(failure(whole)).contains("replay_diverged");
    assertThat(rest.get("status").textValue()).as(failure(rest)).isEqualTo("COMPLETED");
    assertThat(rest.at("/replay/mode").textValue()).isEqualTo("from_checkpoint");
    assertThat(rest.at("/replay/checkpoint/step_key").textValue()).isEqualTo("checkpoint:half");
    assertThat(hash(replayed(task, from(), handler("one", "two"))))
        .as("the segment does not say what comes before")
        .isEqualTo(hash(rest));
    assertThat(hash(replayed(task, handler("one", "two")))).isNotEqualTo(hash(rest));
  }

  @Test
  void whatComesAfterACheckpointIsCompared() {
    String task = run(handler("one", "two"), "COMPLETED");

    JsonNode replay = replayed(task, from(), handler("one", "three"));

    assertThat(failure(replay)).contains("replay_diverged", "step after");
  }

  @Test
  void aReportThatMovesBehindTheCheckpointIsCompared() {
    String task =
        run(
            context -> {
              context.progress("first");
              var unused = context.checkpoint("half", Json.object());
              return TaskResult.of("done");
            },
            "COMPLETED");

    JsonNode replay =
        replayed(
            task,
            from(),
            context -> {
              var unused = context.checkpoint("half", Json.object());
              context.progress("another");
              return TaskResult.of("done");
            });

    assertThat(failure(replay)).contains("replay_diverged", "step progress:1");
  }

  @Test
  void valuesAfterACheckpointCanBeReplaced() {
    String task = run(handler("one", "two"), "COMPLETED");
    ObjectNode request = from();
    request
        .withObjectProperty("override")
        .putObject("llm:2")
        .put("kind", "llm_provider_response")
        .put("value", "no");

    JsonNode replay = replayed(task, request, handler("another", "two"));

    assertThat(replay.get("status").textValue()).as(failure(replay)).isEqualTo("COMPLETED");
    assertThat(
            server
                .client()
                .get("/v1/outcomes/" + replay.get("outcome_id").textValue())
                .json()
                .get("summary")
                .textValue())
        .isEqualTo("It was no.");
    assertThat(payloads(replay, "replay.event_replayed"))
        .filteredOn(payload -> payload.has("change"))
        .extracting(payload -> payload.get("change").textValue())
        .containsExactly("overridden", "ended");
  }

  private static String hash(JsonNode replay) {
    return payload(replay, "replay.completed").get("segment_receipt_hash").textValue();
  }
}
