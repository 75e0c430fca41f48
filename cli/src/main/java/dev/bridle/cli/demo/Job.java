package dev.bridle.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The calls of the demonstration to the public interface. */
final class Job {
  private final RestClient client;

  Job(RestClient client) {
    this.client = client;
  }

  RestClient client() {
    return client;
  }

  String openSession() {
    return openSession(
        client.get("/v1/workspaces?limit=1").at("/data/0/id").asText(), "demo-session");
  }

  String openSession(String workspace, String key) {
    return client
        .post("/v1/sessions", JsonLines.object().put("workspace_id", workspace), key)
        .path("id")
        .asText();
  }

  String createWorkspace(String name, String root, String key) {
    return client
        .post("/v1/workspaces", JsonLines.object().put("name", name).put("root", root), key)
        .path("id")
        .asText();
  }

  /** Submits a task for an agent that is prompted with the text. */
  String submitPrompt(String session, String text, String key) {
    return submit(session, JsonLines.object().put("text", text), key);
  }

  /** Returns the open permission request of a task. */
  JsonNode permissionRequest(String task) {
    return client.get("/v1/permission-requests?status=pending&task_id=" + task).at("/data/0");
  }

  /** Tries to approve a permission request with the client's API key; returns whether it could. */
  boolean allows(JsonNode permissionRequest) {
    String id = permissionRequest.path("id").asText();
    try {
      client.post(
          "/v1/permission-requests/" + id + "/respond",
          JsonLines.object().put("approved", true),
          "allow-" + id);
      return true;
    } catch (CommandFailed e) {
      return false;
    }
  }

  /** Returns the id of a task's receipt. */
  String receipt(String task) {
    return client.get("/v1/tasks/" + task + "/receipts").at("/data/0/id").asText();
  }

  /** Submits a task that works for the given time. The same key returns the same task. */
  String submitWork(String session, String text, int millis, String key) {
    return submit(session, JsonLines.object().put("text", text).put("delay_ms", millis), key);
  }

  /** Submits a task that asks a question before it works. */
  String submitQuestion(String session, String question, String key) {
    return submit(session, JsonLines.object().put("ask", question), key);
  }

  private String submit(String session, ObjectNode input, String key) {
    ObjectNode body = JsonLines.object();
    body.set("input", input);
    return client.post("/v1/sessions/" + session + "/tasks", body, key).path("id").asText();
  }

  void answer(String task, String text) {
    ObjectNode body = JsonLines.object().put("kind", "input");
    ObjectNode message = body.putObject("message").put("role", "user");
    message
        .putArray("parts")
        .addObject()
        .put("type", "text")
        .put("text", text)
        .put("visibility", "public");
    client.post("/v1/tasks/" + task + "/messages", body, "answer-" + task);
  }

  String status(String task) {
    return client.get("/v1/tasks/" + task).path("status").asText();
  }

  List<JsonNode> outcomes(String task) {
    List<JsonNode> outcomes = new ArrayList<>();
    client.get("/v1/outcomes?task_id=" + task).path("data").forEach(outcomes::add);
    return outcomes;
  }

  /** Returns the content of an outcome's first artifact. */
  String report(JsonNode outcome) {
    String artifact = outcome.at("/artifacts/0/id").asText();
    return new String(
        client.bytes("/v1/artifacts/" + artifact + "/content"), StandardCharsets.UTF_8);
  }

  /** Returns the whole history of a session, read page by page. */
  List<JsonNode> history(String session) {
    List<JsonNode> events = new ArrayList<>();
    String after = "";
    while (true) {
      JsonNode page = client.get("/v1/sessions/" + session + "/events?limit=200" + after);
      page.path("data").forEach(events::add);
      if (!page.at("/page/has_more").asBoolean()) {
        return events;
      }
      after = "&after_event_id=" + RestClient.escape(page.at("/page/next_cursor").asText());
    }
  }
}
