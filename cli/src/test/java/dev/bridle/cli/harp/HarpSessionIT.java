package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of HARP over the gateway's sockets. */
final class HarpSessionIT {
  private static final String ID = "01J2V8V3M2YF0KX9Q0Z7E6H9R1";

  /** The published vector, with its hash. */
  private static final String VECTOR =
      "{\"createdAt\":\"2026-02-21T12:02:00Z\",\"eventType\":\"session.snapshot\","
          + "\"payload\":{\"filesAffected\":[\"parser.py\",\"lexer.py\"],"
          + "\"summary\":\"Parser refactor planned. Medium risk due to grammar changes.\"},"
          + "\"sessionId\":\"01J2V8V3M2YF0KX9Q0Z7E6H9R1\",\"snapshotHashAlg\":\"SHA-256\","
          + "\"snapshotId\":\"snap-001\",\"snapshotType\":\"summary\",\"snapshotHash\":"
          + "\"5145a558f7390a66768c6da0195f12484bb1f01c44b8bc33518733970ac06e5d\"}";

  @TempDir private Path directory;
  private LocalServer server;
  private ProtocolClient harp;
  private ProtocolClient rest;

  @BeforeEach
  void start() throws IOException {
    server = LocalServer.start(LocalServerOptions.of(directory.resolve("data")).withHarpPort(0));
    String key = server.firstKey().orElseThrow();
    harp = new ProtocolClient(server.harpUrl().orElseThrow(), key);
    rest = new ProtocolClient(server.baseUrl(), key);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static ObjectNode event(String type, String session) {
    return Json.object().put("sessionId", session).put("eventType", "session." + type);
  }

  private static ObjectNode begun(String at) {
    return event("start", ID).put("createdAt", at).put("agentHost", "laptop");
  }

  private static ObjectNode status(String state, String at) {
    return event("status", ID).put("state", state).put("updatedAt", at);
  }

  private static ObjectNode end(String at) {
    return event("end", ID).put("endedAt", at).put("reason", "timeout");
  }

  private static ObjectNode hashed(ObjectNode snapshot) {
    try {
      return snapshot.put("snapshotHash", HarpJson.hashWithout(snapshot, "snapshotHash"));
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  private Answer post(JsonNode event) {
    return harp.post("/v1/session/event", event);
  }

  private void accepted(JsonNode event) {
    Answer answer = post(event);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.json().path("status").asText()).isEqualTo("accepted");
  }

  private void refused(int status, String code, String reason, JsonNode event) {
    Answer answer = post(event);
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.json().at("/body/code").asText()).isEqualTo(code);
    assertThat(answer.json().at("/body/details/reason").asText()).isEqualTo(reason);
  }

  private JsonNode shown(String session) {
    Answer answer = harp.get("/v1/session/" + session);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.json();
  }

  private static List<String> types(JsonNode session) {
    List<String> types = new ArrayList<>();
    session
        .path("events")
        .forEach(event -> types.add(event.path("eventType").asText().replace("session.", "")));
    return types;
  }

  @Tag("slow")
  @Test
  void aSessionOfAnotherHostIsKept() {
    accepted(begun("2026-02-21T12:00:00Z"));
    accepted(status("executing", "2026-02-21T12:03:00Z"));
    accepted(Json.parse(VECTOR));
    accepted(Json.parse(VECTOR));
    accepted(end("2026-02-21T12:04:00Z"));
    accepted(status("planning", "2026-02-21T12:01:00Z"));

    JsonNode session = shown(ID);
    assertThat(types(session)).containsExactly("start", "status", "snapshot", "status", "end");
    assertThat(session.at("/events/2")).isEqualTo(Json.parse(VECTOR));
    assertThat(session.path("state").asText()).isEqualTo("ended");
  }

  @Test
  void whatASessionDoesNotAcceptIsRefusedWithItsStatus() {
    String state = "HARP_SESSION_ERR_INVALID_STATE";
    refused(409, state, "not_started", status("idle", "2026-02-21T12:00:00Z"));
    accepted(begun("2026-02-21T12:00:00Z"));
    accepted(Json.parse(VECTOR));
    ObjectNode changed = (ObjectNode) Json.parse(VECTOR);
    refused(422, "HARP_ERR_HASH_MISMATCH", "hash", changed.put("snapshotType", "plan"));
    refused(409, "HARP_SESSION_ERR_DUPLICATE_SNAPSHOT", "another_hash", hashed(changed));
    refused(409, state, "started", begun("2026-02-21T12:00:01Z"));
    refused(400, "HARP_ERR_TRANSPORT", "schema", end("yesterday"));
    accepted(end("2026-02-21T12:04:00Z"));
    refused(
        409, "HARP_SESSION_ERR_SESSION_CLOSED", "closed", status("idle", "2026-02-21T12:04:01Z"));
    Answer large = post(status("idle", "2026-02-21T12:00:00Z").put("more", "x".repeat(5_000_000)));
    assertThat(large.status()).isEqualTo(413);
    assertThat(harp.get("/v1/session/unknown").status()).isEqualTo(404);
    assertThat(new ProtocolClient(harp.base(), "brk_unknown").get("/v1/session/" + ID).status())
        .isEqualTo(401);
  }

  @Tag("slow")
  @Test
  void aSnapshotOfAlmostFiveMegabytesIsKept() {
    accepted(begun("2026-02-21T12:00:00Z"));
    ObjectNode snapshot = (ObjectNode) Json.parse(VECTOR);
    snapshot.withObject("/payload").put("summary", "x".repeat(4_900_000));
    accepted(hashed(snapshot));

    assertThat(types(shown(ID))).isNotEmpty();
    JsonNode first = harp.get("/v1/session/" + ID + "?limit=1").json();
    JsonNode second =
        harp.get("/v1/session/" + ID + "?limit=1&cursor=" + first.path("nextCursor").asText())
            .json();
    assertThat(second.at("/events/0")).isEqualTo(snapshot);
  }

  @Test
  void aSessionOfThisServerIsShownAndTakesSnapshots() throws Exception {
    String session =
        rest.post("/v1/sessions", Json.object().put("workspace_id", "default"))
            .json()
            .path("id")
            .asText();
    assertThat(harp.get("/v1/session/" + session).status()).as("not mapped").isEqualTo(404);
    assertThat(
            rest.post(
                    "/v1/harp-repos",
                    Json.object().put("workspace_id", "default").put("repo_ref", "repo:acme/w"))
                .status())
        .isEqualTo(201);
    String began = Instant.now().toString();
    assertThat(
            rest.post(
                    "/v1/sessions/" + session + "/tasks",
                    Json.object().set("input", Json.object().put("text", "one two")))
                .status())
        .isEqualTo(202);
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () ->
                assertThat(
                        rest.get("/v1/tasks?session_id=" + session)
                            .json()
                            .at("/data/0/status")
                            .asText())
                    .isEqualTo("COMPLETED"));
    ObjectNode snapshot = (ObjectNode) Json.parse(VECTOR);
    accepted(hashed(snapshot.put("sessionId", session).put("createdAt", began)));
    refused(
        409,
        "HARP_SESSION_ERR_INVALID_STATE",
        "mirrored",
        event("status", session).put("state", "idle").put("updatedAt", began));

    JsonNode shown = shown(session);
    assertThat(types(shown)).contains("start", "status", "snapshot").hasSize(3);
    assertThat(shown.toString()).contains("\"state\":\"idle\"");
    assertThat(rest.post("/v1/sessions/" + session + "/close", Json.object()).status())
        .isEqualTo(200);
    JsonNode closed = shown(session);
    assertThat(types(closed)).contains("end").doesNotContain("status");
    assertThat(closed.toString()).contains("\"reason\":\"user_end\"");
  }
}
