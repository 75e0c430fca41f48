package dev.bridle.cli.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * What a golden directory holds: sessions open and closed, messages, tasks that ended in each way,
 * one that waits for an answer, artifacts, and the receipts of all that ended. Notes what a client
 * reads of it.
 */
final class GoldenScenario {
  private static final int ARTIFACT_BYTES = 120_000;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final ProtocolClient client;
  private final Set<String> paths = new LinkedHashSet<>();

  GoldenScenario(ProtocolClient client) {
    this.client = client;
  }

  /** Plays it and returns the golden notes: what was read where, and what is still under way. */
  ObjectNode play() {
    String first = session("open");
    String second = session("closed");
    String waitingSession = session("waiting");
    message(first, "A message of its own.");
    String done = task(first, input("one two one"), "COMPLETED");
    String failed = task(first, Json.object(), "FAILED");
    String cancelled = task(first, input("slow").put("delay_ms", 60_000), "WORKING");
    expect(200, client.post("/v1/tasks/" + cancelled + "/cancel", Json.object()));
    awaitStatus(cancelled, "CANCELED");
    String large = task(second, input("word ".repeat(30_000)), "COMPLETED");
    String artifact = artifact(first);
    expect(200, client.post("/v1/sessions/" + second + "/close", Json.object()));
    String waiting = task(waitingSession, Json.object().put("ask", "Which?"), "INPUT_REQUIRED");

    paths.add("/v1/workspaces");
    for (String id : new String[] {first, second, waitingSession}) {
      paths.add("/v1/sessions/" + id);
      paths.add("/v1/sessions/" + id + "/messages?limit=100");
    }
    paths.add("/v1/sessions/" + first + "/events?limit=100");
    paths.add("/v1/sessions/" + second + "/events?limit=100");
    paths.add("/v1/sessions/" + first + "/tasks?limit=100");
    for (String id : new String[] {done, failed, cancelled, large}) {
      paths.add("/v1/tasks/" + id);
      paths.add("/v1/tasks/" + id + "/events?limit=100");
      paths.add("/v1/artifacts?limit=100&task_id=" + id);
      paths.add("/v1/tasks/" + id + "/receipts");
    }
    paths.add("/v1/artifacts/" + artifact);

    ObjectNode notes = Json.object();
    notes.put("waiting_task", waiting);
    notes.put("artifact", artifact);
    notes.put("receipts", 4);
    ObjectNode answers = notes.putObject("answers");
    for (String path : paths) {
      Answer answer = client.get(path);
      expect(200, answer);
      answers.put(path, answer.text());
    }
    return notes;
  }

  /** Returns the bytes of the one artifact that is uploaded. */
  static byte[] artifactBytes() {
    byte[] bytes = new byte[ARTIFACT_BYTES];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  /** Reads everything again, compares it, and lets the waiting task go on to its end. */
  static void verify(ProtocolClient client, JsonNode notes) {
    notes
        .get("answers")
        .properties()
        .forEach(
            noted ->
                Noted.assertStillThere(
                    noted.getKey(),
                    Json.parse(noted.getValue().textValue()),
                    expect(200, client.get(noted.getKey()))));
    int verified = 0;
    for (Map.Entry<String, JsonNode> noted : notes.get("answers").properties()) {
      verified += verifyReceipts(client, Json.parse(noted.getValue().textValue()));
    }
    assertThat(verified).isEqualTo(notes.path("receipts").asInt(0));
    String artifact = notes.get("artifact").textValue();
    assertThat(client.get("/v1/artifacts/" + artifact + "/content").bytes())
        .isEqualTo(artifactBytes());
    GoldenScenario scenario = new GoldenScenario(client);
    String waiting = notes.get("waiting_task").textValue();
    scenario.awaitStatus(waiting, "INPUT_REQUIRED");
    ObjectNode answer = Json.object().put("kind", "input");
    answer.set("message", text("two words"));
    expect(201, client.post("/v1/tasks/" + waiting + "/messages", answer));
    scenario.awaitStatus(waiting, "COMPLETED");
  }

  /** Verifies the receipts of a list and returns how many they are. */
  private static int verifyReceipts(ProtocolClient client, JsonNode list) {
    int verified = 0;
    for (JsonNode item : list.path("data")) {
      if (item.path("id").asText().startsWith("receipt_")) {
        JsonNode result =
            expect(200, client.post("/v1/receipts/" + id(item) + "/verify", Json.object()));
        assertThat(result.get("valid").booleanValue()).as("%s", result).isTrue();
        verified++;
      }
    }
    return verified;
  }

  private String session(String title) {
    ObjectNode body = Json.object().put("workspace_id", "default");
    body.putObject("metadata").put("title", title);
    return id(expect(201, client.post("/v1/sessions", body)));
  }

  private void message(String session, String text) {
    ObjectNode body = Json.object();
    body.set("message", text(text));
    expect(201, client.post("/v1/sessions/" + session + "/messages", body));
  }

  private String task(String session, ObjectNode input, String status) {
    ObjectNode body = Json.object();
    body.set("input", input);
    String id = id(expect(202, client.post("/v1/sessions/" + session + "/tasks", body)));
    awaitStatus(id, status);
    return id;
  }

  private String artifact(String session) {
    String id =
        id(
            expect(
                201,
                client.post(
                    "/v1/artifacts",
                    Json.object()
                        .put("session_id", session)
                        .put("kind", "dataset")
                        .put("mime_type", "application/octet-stream")
                        .put("visibility", "public"))));
    Answer uploaded =
        client.send(
            client
                .call("PUT", "/v1/artifacts/" + id + "/content")
                .withBody(artifactBytes(), "application/octet-stream"));
    assertThat(uploaded.status()).as("%s", uploaded).isBetween(200, 204);
    return id;
  }

  private void awaitStatus(String task, String status) {
    await("task " + task + " is " + status)
        .atMost(PATIENCE)
        .until(
            () ->
                expect(200, client.get("/v1/tasks/" + task))
                    .get("status")
                    .textValue()
                    .equals(status));
  }

  private static ObjectNode input(String text) {
    return Json.object().put("text", text);
  }

  private static ObjectNode text(String text) {
    ObjectNode message = Json.object().put("role", "user");
    message
        .putArray("parts")
        .addObject()
        .put("type", "text")
        .put("text", text)
        .put("visibility", "public");
    return message;
  }

  private static JsonNode expect(int status, Answer answer) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(status);
    return answer.json();
  }

  private static String id(JsonNode resource) {
    return resource.get("id").textValue();
  }
}
