package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.permission.PermissionAnswer;
import dev.bridle.cli.rest.RefusedCall;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ResumingStream;
import dev.bridle.cli.rest.StreamEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The server behind the editor's sessions. Calls wait, are retried while the server restarts, and
 * throw {@link CommandFailed}. Thread-safe.
 */
final class BridleServer {
  private static final int MOST_PERSONAS = 200;
  private static final int MOST_TASKS = 200;
  private static final int MOST_WORKSPACES = 1000;
  private static final Set<String> ENDED = Set.of("COMPLETED", "FAILED", "CANCELED");

  private final Supplier<RestClient> connect;
  private final Consumer<String> notices;
  private Optional<RestClient> client = Optional.empty();

  /**
   * Creates it.
   *
   * @param connect reads the key, and returns a client with it
   * @param notices takes lines for the log
   */
  BridleServer(Supplier<RestClient> connect, Consumer<String> notices) {
    this.connect = connect;
    this.notices = notices;
  }

  private synchronized RestClient client() {
    if (client.isEmpty()) {
      client = Optional.of(connect.get());
    }
    return client.get();
  }

  /** Reads the key anew, and calls the server with it. */
  synchronized void authenticate() {
    client = Optional.empty();
    probe();
  }

  /** Calls the server, to see whether it takes the key. */
  void probe() {
    var unused = client().get("/v1/workspaces?limit=1");
  }

  List<JsonNode> workspaces() {
    List<JsonNode> found = new ArrayList<>();
    client().rows("/v1/workspaces", MOST_WORKSPACES, found::add);
    return found;
  }

  /** Returns the personas; none if the key may not read them. */
  List<JsonNode> personas() {
    List<JsonNode> found = new ArrayList<>();
    try {
      client().rows("/v1/personas", MOST_PERSONAS, found::add);
    } catch (RefusedCall e) {
      if (e.status() != 403) {
        throw e;
      }
    }
    return found;
  }

  JsonNode newSession(String workspace, Optional<String> persona, String cwd) {
    ObjectNode body = JsonLines.object().put("workspace_id", workspace);
    persona.ifPresent(id -> body.put("persona_id", id));
    body.putObject("metadata").putObject("acp").put("cwd", cwd);
    return client().post("/v1/sessions", body, key());
  }

  /** Returns a session; empty if there is none that the caller may see. */
  Optional<JsonNode> session(String id) {
    try {
      return Optional.of(client().get("/v1/sessions/" + RestClient.escape(id)));
    } catch (RefusedCall e) {
      if (e.status() == 404 || e.status() == 400) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Returns a page of sessions, newest first. */
  JsonNode sessions(Optional<String> workspace, Optional<String> cursor) {
    return client()
        .get(
            "/v1/sessions?limit=100"
                + workspace.map(id -> "&workspace_id=" + RestClient.escape(id)).orElse("")
                + cursor.map(after -> "&cursor=" + RestClient.escape(after)).orElse(""));
  }

  /** Returns the tasks of a session that have not ended, oldest first. */
  List<JsonNode> openTasks(String session) {
    List<JsonNode> open = new ArrayList<>();
    client()
        .rows(
            "/v1/sessions/" + RestClient.escape(session) + "/tasks",
            MOST_TASKS,
            task -> {
              if (!ENDED.contains(task.path("status").asText())) {
                open.add(0, task);
              }
            });
    return open;
  }

  /** Passes on all events of a session, oldest first. */
  void history(String session, Consumer<StreamEvent> consumer) {
    client()
        .rows(
            "/v1/sessions/" + RestClient.escape(session) + "/events",
            Integer.MAX_VALUE,
            body ->
                consumer.accept(
                    new StreamEvent(body.path("id").asText(), body.path("event").asText(), body)));
  }

  /** Submits a task with a message. */
  JsonNode submit(String session, ArrayNode parts, Optional<String> persona) {
    ObjectNode body = JsonLines.object();
    body.putObject("input").put("role", "user").set("parts", parts);
    persona.ifPresent(id -> body.put("persona_id", id));
    return client().post("/v1/sessions/" + RestClient.escape(session) + "/tasks", body, key());
  }

  /** Answers what a task asks; returns the message. */
  JsonNode answer(String task, String stepKey, ArrayNode parts) {
    ObjectNode body = JsonLines.object().put("kind", "input");
    if (!stepKey.isEmpty()) {
      body.put("step_key", stepKey);
    }
    body.putObject("message").put("role", "user").set("parts", parts);
    return client().post("/v1/tasks/" + RestClient.escape(task) + "/messages", body, key());
  }

  String status(String task) {
    return client().get("/v1/tasks/" + RestClient.escape(task)).path("status").asText();
  }

  void cancel(String task) {
    var unused =
        client()
            .post(
                "/v1/tasks/" + RestClient.escape(task) + "/cancel",
                JsonLines.object().put("reason", "canceled in the editor"),
                key());
  }

  /** Returns the permission requests that a task waits for. */
  List<JsonNode> pending(String task) {
    List<JsonNode> found = new ArrayList<>();
    client()
        .get("/v1/permission-requests?status=pending&task_id=" + RestClient.escape(task))
        .path("data")
        .forEach(found::add);
    return found;
  }

  /** Gives an answer; returns the request with it. */
  JsonNode answer(PermissionAnswer answer) {
    return answer.send(client());
  }

  /** Reads a task's events, after one of them or from the first, until the predicate says so. */
  void follow(String task, Optional<String> after, Predicate<StreamEvent> more) {
    new ResumingStream(client(), "/v1/tasks/" + RestClient.escape(task) + "/stream", after, notices)
        .readWhile(more);
  }

  private static String key() {
    return UUID.randomUUID().toString();
  }
}
