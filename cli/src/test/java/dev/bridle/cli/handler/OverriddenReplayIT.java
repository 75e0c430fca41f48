package dev.bridle.cli.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.fixtures.client.Json;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.TextPart;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Handlers of real workers that run again with other values than those that were recorded. */
final class OverriddenReplayIT extends ReplayedHandlers {
  private final AtomicInteger computed = new AtomicInteger();

  /** Decides by the answer of a model what it says, writes and returns. */
  private TaskResult decide(TaskContext task) throws Exception {
    String answer = task.step("llm:main:1", String.class, () -> answer("approved"));
    task.progress("thinking");
    task.message("said", List.of(text("The answer is: " + answer)));
    if (answer.equals("broken")) {
      throw new TaskFailure("no_answer", "The model is broken.");
    }
    if (answer.equals("more")) {
      task.step("llm:main:2", String.class, () -> answer("more"));
    }
    if (answer.equals("approved")) {
      task.event("log", "vendor.approved", Json.object().put("by", "model"));
    }
    String detail =
        task.step("mcp:files:1", Sha256.of(answer.getBytes(UTF_8)).toString(), () -> one())
            .toString();
    var artifact =
        task.artifact(
            "file",
            ArtifactKind.ARTIFACT_KIND_LOG,
            "text/plain",
            (answer + detail).getBytes(UTF_8));
    return TaskResult.of("It was " + answer + ".").withArtifact(artifact);
  }

  private String answer(String text) {
    computed.incrementAndGet();
    return text;
  }

  private JsonNode one() {
    computed.incrementAndGet();
    return Json.object().put("n", 1);
  }

  private static Part text(String words) {
    return Part.newBuilder()
        .setText(TextPart.newBuilder().setText(words).setVisibility(Visibility.VISIBILITY_PUBLIC))
        .build();
  }

  private static ObjectNode override(String key, String kind, String value) {
    ObjectNode request = Json.object().put("mode", "with_overrides");
    return with(request, key, kind, value);
  }

  private static ObjectNode with(ObjectNode request, String key, String kind, String value) {
    request
        .withObjectProperty("override")
        .putObject(key)
        .put("kind", kind)
        .put("value", value)
        .put("reason", "what if");
    return request;
  }

  private static ObjectNode bothOverrides(String answer) {
    return with(
        override("llm:main:1", "llm_provider_response", answer),
        "mcp:files:1",
        "mcp_tool_return",
        "another");
  }

  @Test
  void anotherAnswerOfAModelChangesWhatFollowsFromIt() {
    TaskHandler handler = this::decide;
    String task = run(handler, "COMPLETED");
    String session = get("/v1/tasks/" + task).get("session_id").textValue();
    JsonNode before = get("/v1/sessions/" + session + "/messages");
    assertThat(computed).hasValue(2);

    JsonNode replay = replayed(task, bothOverrides("denied"), handler);

    assertThat(replay.get("status").textValue()).as(failure(replay)).isEqualTo("COMPLETED");
    assertThat(computed).as("nothing is computed").hasValue(2);
    assertThat(get("/v1/tasks/" + id(replay)).at("/replay/override_keys").toString())
        .isEqualTo("[\"llm:main:1\",\"mcp:files:1\"]");
    assertThat(
            get("/v1/outcomes/" + replay.get("outcome_id").textValue()).get("summary").textValue())
        .isEqualTo("It was denied.");
    assertThat(payloads(replay, "agent.message").toString()).contains("The answer is: denied");
    assertThat(payloads(replay, "replay.event_replayed"))
        .filteredOn(payload -> payload.has("change"))
        .extracting(
            payload -> payload.get("change").asText() + " " + payload.path("step_key").asText())
        .containsExactly(
            "changed said",
            "changed file",
            "overridden llm:main:1",
            "overridden mcp:files:1",
            "not_taken log",
            "ended ");
    assertThat(get("/v1/sessions/" + session + "/messages")).as("the session").isEqualTo(before);
    JsonNode segment = segment(replay);
    assertThat(segment.at("/deltas/0/override_key").textValue()).isEqualTo("llm:main:1");
    assertThat(segment.at("/deltas/0/after_sha256").textValue())
        .isEqualTo(Sha256.of("\"denied\"".getBytes(UTF_8)).toString());
    assertThat(segment.at("/deltas/0/reason").textValue()).isEqualTo("what if");
    assertThat(segment.at("/replay_input/materials/1/sha256"))
        .isEqualTo(segment.at("/deltas/0/after_sha256"));
    assertThat(segment.at("/final_artifacts/0/sha256").textValue())
        .isEqualTo(Sha256.of("denied\"another\"".getBytes(UTF_8)).toString());
    assertThat(segment.at("/metadata/bridle.replay/differences").toString())
        .isEqualTo(
            "{\"added\":[],\"changed\":[\"file\",\"said\"],\"count\":3,\"end\":\"artifacts\","
                + "\"not_taken\":[\"log\"]}");
  }

  @Test
  void theSameReplayMakesTheSameSegmentAgain() {
    TaskHandler handler = this::decide;
    String task = run(handler, "COMPLETED");

    JsonNode first = replayed(task, bothOverrides("denied"), handler);
    JsonNode again = replayed(task, bothOverrides("denied"), handler);
    JsonNode ofReplay = replayed(id(first), Json.object().put("depth", "execute"), handler);
    JsonNode other = replayed(task, bothOverrides("refused"), handler);

    assertThat(hash(again)).isEqualTo(hash(first));
    assertThat(hash(ofReplay)).as("a replay of the replay").isEqualTo(hash(first));
    assertThat(hash(other)).isNotEqualTo(hash(first));
  }

  @Test
  void theRecordedValueInstalledAgainChangesNothing() {
    TaskHandler handler = this::decide;
    String task = run(handler, "COMPLETED");

    JsonNode replay =
        replayed(task, override("llm:main:1", "llm_provider_response", "approved"), handler);

    assertThat(replay.get("status").textValue()).as(failure(replay)).isEqualTo("COMPLETED");
    assertThat(segment(replay).at("/metadata/bridle.replay/differences/count").asInt()).isZero();
    assertThat(payloads(replay, "agent.message")).isEmpty();
  }

  @Test
  void aHandlerThatFailsNowFailsItsReplay() {
    TaskHandler handler = this::decide;
    String task = run(handler, "COMPLETED");

    JsonNode replay =
        replayed(task, override("llm:main:1", "llm_provider_response", "broken"), handler);

    assertThat(replay.get("status").textValue()).isEqualTo("FAILED");
    assertThat(replay.at("/failure/code").textValue()).isEqualTo("no_answer");
    assertThat(payload(replay, "replay.completed").get("final_state").textValue())
        .isEqualTo("FAILED");
    assertThat(segment(replay).at("/lifecycle/failure/code").textValue()).isEqualTo("no_answer");
    assertThat(segment(replay).at("/final_artifacts").isEmpty()).isTrue();
  }

  @Test
  void aCallThatTheRecordDoesNotAnswerIsNamed() {
    TaskHandler handler = this::decide;
    String task = run(handler, "COMPLETED");

    JsonNode missing =
        replayed(task, override("llm:main:1", "llm_provider_response", "more"), handler);
    JsonNode depends =
        replayed(task, override("llm:main:1", "llm_provider_response", "denied"), handler);

    assertThat(failure(missing)).contains("replay_unavailable", "step llm:main:2: not recorded");
    assertThat(failure(depends))
        .contains("replay_diverged", "step mcp:files:1: it depends on another input");
    assertThat(computed).as("in the task alone").hasValue(2);
  }

  @Test
  void aHandlerWhoseReportIsRejectedIsNotReplayed() {
    TaskHandler handler =
        task -> {
          String kind = task.step("llm:main:1", String.class, () -> answer("vendor.good"));
          task.event("log", kind, Json.object());
          return TaskResult.of("done");
        };
    String task = run(handler, "COMPLETED");

    JsonNode replay =
        replayed(
            task, override("llm:main:1", "llm_provider_response", "replay.completed"), handler);

    assertThat(failure(replay)).contains("replay_unavailable", "a report was rejected");
    assertThat(payloads(replay, "replay.completed")).isEmpty();
  }

  private static String hash(JsonNode replay) {
    return payload(replay, "replay.completed").get("segment_receipt_hash").textValue();
  }
}
