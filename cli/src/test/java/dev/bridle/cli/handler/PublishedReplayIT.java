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
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskResult;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A replay request with all members that the protocol declares, and the receipt of its segment with
 * those that the protocol's example has.
 */
final class PublishedReplayIT extends ReplayedHandlers {
  private static final String MODEL = "llm:main:1";
  private static final String TOOL = "mcp:files:1";
  private static final String CLOCK = "time:started_at";
  private static final String LATER = "2031-05-06T07:08:09Z";
  private static final String FILES = "[\"b.txt\", \"a.txt\"]";
  private static final String SAME_FILES = "[\"b.txt\",\"a.txt\"]";

  /** What the protocol's example of such a receipt has, of the first entry of each list. */
  private static final List<String> EXAMPLE =
      paths(
          "schema receipt_id issued_at redactions signatures",
          "subject/ object id",
          "issuer/ id kind name version",
          "identifiers/ workspace_ref session_id task_id trace_id",
          "lifecycle/ created_at started_at completed_at final_state failure",
          "trust/ start_tier end_tier policy_ref",
          "autonomy_budget/consumed/ usd input_tokens output_tokens tool_calls wall_time_ms",
          "replay_input/ determinism",
          "replay_input/materials/0/ kind id uri sha256 content_type",
          "replay_input/materials/1/ kind id sha256 metadata/override_key",
          "model_route/ chosen_model/provider chosen_model/model alternatives_considered",
          "model_route/ route_policy_reason",
          "cost/ currency total provider_breakdown",
          "side_effects/ fs_writes network_egress tool_calls a2a_handoffs",
          "final_artifacts/0/ artifact_id kind uri sha256",
          "chain/ previous_receipt_hash receipt_hash merkle_root",
          "deltas/0/ delta_id operation path override_key event_id before_sha256 after_sha256",
          "deltas/0/ reason",
          "metadata/ source source_task_id replay_mode");

  /**
   * What segments leave out, which the schema allows: the task has no persona; nothing was spent;
   * receipts name no places of artifacts, nor the type of logs; a segment is no link of a chain;
   * and custom metadata has what Bridle says of the replay under a name of its own.
   */
  private static final List<String> LEFT_OUT =
      paths(
          "trust/ policy_ref",
          "autonomy_budget/consumed/ usd",
          "replay_input/materials/0/ content_type",
          "final_artifacts/0/ uri",
          "chain/ merkle_root",
          "metadata/ source source_task_id replay_mode");

  private static List<String> paths(String... members) {
    return Stream.of(members)
        .flatMap(
            line -> {
              String parent = line.contains("/ ") ? line.substring(0, line.indexOf(' ')) : "";
              return Stream.of(line.substring(parent.length()).strip().split(" ", -1))
                  .map(member -> "/" + parent + member);
            })
        .toList();
  }

  private static TaskResult answer(TaskContext task) throws Exception {
    String time = task.step(CLOCK, String.class, () -> "2031-01-01T00:00:00Z");
    JsonNode answer = task.step(MODEL, () -> choice("completion_1", "go on"));
    JsonNode files = task.step(TOOL, () -> Json.array());
    String words = answer.at("/choices/0/message/content").textValue() + " at " + time;
    TextPart.Builder text =
        TextPart.newBuilder().setText(words).setVisibility(Visibility.VISIBILITY_PUBLIC);
    task.message("said", List.of(Part.newBuilder().setText(text).build()));
    return TaskResult.of(words)
        .withArtifact(
            task.artifact(
                "files",
                ArtifactKind.ARTIFACT_KIND_DATASET,
                "application/json",
                files.toString().getBytes(UTF_8)));
  }

  private static ObjectNode choice(String id, String content) {
    ObjectNode answer = Json.object().put("id", id);
    answer
        .putArray("choices")
        .addObject()
        .putObject("message")
        .put("role", "assistant")
        .put("content", content);
    return answer;
  }

  /** Returns the event that has recorded a value. */
  private static JsonNode recorded(String task, String key) {
    for (JsonNode event : server.events(task)) {
      if (event.at("/payload/key").asText().equals(key)
          && event.get("event").textValue().equals("vendor.bridle.dependency_recorded")) {
        return event;
      }
    }
    throw new AssertionError(key + " is not among " + server.eventsAsText(task));
  }

  /** Returns a request that has every member which the protocol declares. */
  private static ObjectNode request(String task) {
    ObjectNode request = Json.object().put("mode", "with_overrides").put("reason", "a rehearsal");
    request.putNull("checkpoint_id").putNull("checkpoint_event_id");
    request.putObject("metadata").put("ticket", 7);
    ObjectNode overrides = request.putObject("override");
    JsonNode answer = choice("completion_2", "stop");
    override(overrides, task, MODEL, "llm_provider_response")
        .put("target", "main")
        .put("sha256", Sha256.of(CanonicalJson.bytes(answer)).toString())
        .put("visibility", "receipt_only")
        .putNull("artifact_id")
        .set("value", answer);
    override(overrides, task, CLOCK, "time")
        .put("target", "started_at")
        .put("sha256", hash('"' + LATER + '"'))
        .put("visibility", "internal")
        .put("value", LATER);
    override(overrides, task, TOOL, "mcp_tool_return")
        .put("target", "files")
        .put("sha256", hash(FILES))
        .put("visibility", "public")
        .put("artifact_id", uploaded(task));
    return request;
  }

  private static ObjectNode override(ObjectNode all, String task, String key, String kind) {
    return all.putObject(key)
        .put("kind", kind)
        .put("event_id", id(recorded(task, key)))
        .put("reason", "another " + key);
  }

  private static String uploaded(String task) {
    ObjectNode body =
        Json.object()
            .put("session_id", get("/v1/tasks/" + task).get("session_id").textValue())
            .put("kind", "dataset")
            .put("mime_type", "application/json")
            .put("visibility", "public");
    String id = id(server.client().post("/v1/artifacts", body).json());
    var put =
        server
            .client()
            .call("PUT", "/v1/artifacts/" + id + "/content")
            .withBody(FILES.getBytes(UTF_8), "application/json");
    assertThat(server.client().send(put).status()).isBetween(200, 204);
    return id;
  }

  @Test
  void aRequestWithAllMembersIsAcceptedAndApplied() {
    String task = run(PublishedReplayIT::answer, "COMPLETED");
    ObjectNode request = request(task);

    JsonNode replay = replayed(task, request, PublishedReplayIT::answer);

    assertThat(replay.get("status").textValue()).as(failure(replay)).isEqualTo("COMPLETED");
    assertThat(replay.at("/replay/mode").textValue()).isEqualTo("with_overrides");
    assertThat(replay.at("/metadata/ticket").intValue()).isEqualTo(7);
    assertThat(payload(replay, "agent.message").toString()).contains("stop at " + LATER);
    assertThat(payload(replay, "artifact.created").get("sha256").textValue())
        .isEqualTo(hash(SAME_FILES).substring("sha256:".length()));
    JsonNode deltas = segment(replay).get("deltas");
    assertThat(deltas).hasSize(3);
    for (JsonNode delta : deltas) {
      String key = delta.get("override_key").textValue();
      JsonNode asked = request.at("/override").get(key);
      JsonNode source = recorded(task, key);
      assertThat(delta.get("event_id"))
          .isEqualTo(source.get("id"))
          .isEqualTo(asked.get("event_id"));
      assertThat(delta.get("before_sha256")).isEqualTo(source.at("/payload/commitment"));
      assertThat(delta.get("reason")).isEqualTo(asked.get("reason"));
      assertThat(delta.get("after_sha256").textValue())
          .isEqualTo(key.equals(TOOL) ? hash(SAME_FILES) : asked.get("sha256").textValue());
      assertThat(delta.path("artifact_id").asText())
          .isEqualTo(asked.path("artifact_id").asText(""));
      assertThat(overriding(replay, key).at("/replay/receipt_delta_id"))
          .isEqualTo(delta.get("delta_id"));
    }
  }

  @Test
  void theSegmentHasTheMembersOfTheProtocolsExampleButThoseThatAreNamed() {
    String task = run(PublishedReplayIT::answer, "COMPLETED");

    JsonNode segment = segment(replayed(task, request(task), PublishedReplayIT::answer));

    assertThat(EXAMPLE.stream().filter(path -> segment.at(path).isMissingNode()))
        .containsExactlyElementsOf(LEFT_OUT);
    assertThat(segment.at("/metadata/bridle.replay/source_task_id").textValue()).isEqualTo(task);
    assertThat(segment.at("/metadata/bridle.replay/request/mode").textValue())
        .isEqualTo("with_overrides");
  }

  /** Returns the event of a replay which says that a value was replaced. */
  private static JsonNode overriding(JsonNode replay, String key) {
    for (JsonNode event : server.events(id(replay))) {
      if (event.at("/replay/override_key").asText().equals(key)) {
        return event;
      }
    }
    throw new AssertionError(key + " is not among " + server.eventsAsText(id(replay)));
  }

  private static String hash(String text) {
    return Sha256.of(text.getBytes(UTF_8)).toString();
  }
}
