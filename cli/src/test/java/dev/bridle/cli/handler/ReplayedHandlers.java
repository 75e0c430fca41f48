package dev.bridle.cli.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.cli.up.ServerWithWorkers;
import dev.bridle.cli.up.SuiteEngine;
import dev.bridle.fixtures.client.Json;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.worker.HandlerFacts;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.Worker;
import dev.bridle.worker.WorkerBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A real server, and handlers that run there, and again in replays. */
abstract class ReplayedHandlers {
  static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final HandlerFacts FACTS = HandlerFacts.of("worker", "1.0").withAllRecorded();

  @TempDir private static Path directory;
  static ServerWithWorkers server;

  @BeforeAll
  static void start() throws IOException {
    server = ServerWithWorkers.start(SuiteEngine.of(LocalServerOptions.of(directory)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  static WorkerBuilder builder(TaskHandler handler) {
    return server.worker(server.channel(), "worker").handlerFacts(FACTS).handler(handler);
  }

  static Worker worker(TaskHandler handler) {
    return builder(handler).build();
  }

  static String run(TaskHandler handler, String end) {
    return run(handler, end, server::submit);
  }

  static String run(TaskHandler handler, String end, Supplier<String> submitted) {
    try (Worker worker = worker(handler)) {
      worker.start();
      String task = submitted.get();
      assertThat(server.ended(task)).isEqualTo(end);
      return task;
    }
  }

  /** Has a task replayed by a handler, and returns the replay once it has ended. */
  static JsonNode replayed(String task, TaskHandler handler) {
    return replayed(task, Json.object().put("depth", "execute"), handler);
  }

  /** Has a task replayed as a request says. */
  static JsonNode replayed(String task, ObjectNode request, TaskHandler handler) {
    try (Worker worker = builder(handler).replays().build()) {
      worker.start();
      String replay = accepted(task, request);
      var unused = server.ended(replay);
      return server.client().get("/v1/tasks/" + replay).json();
    }
  }

  static String accepted(String task) {
    return accepted(task, Json.object().put("depth", "execute"));
  }

  private static String accepted(String task, ObjectNode request) {
    JsonNode accepted = server.client().post("/v1/tasks/" + task + "/replay", request).json();
    assertThat(accepted.at("/replay/depth").textValue()).as("%s", accepted).isEqualTo("execute");
    return id(accepted);
  }

  static String id(JsonNode task) {
    return task.get("id").textValue();
  }

  static String failure(JsonNode task) {
    return task.path("failure").toString();
  }

  /** Returns the receipt of a replay's segment, which is valid. */
  static JsonNode segment(JsonNode replay) {
    String artifact = payload(replay, "replay.completed").get("artifact_id").textValue();
    String content = server.client().get("/v1/artifacts/" + artifact + "/content").text();
    var verified = new ReceiptVerifier(Trust.none()).verify(content.getBytes(UTF_8));
    assertThat(verified.failure()).as(verified.summary()).isEmpty();
    return Json.parse(content);
  }

  static JsonNode payload(JsonNode replay, String kind) {
    return payloads(replay, kind).stream()
        .findFirst()
        .orElseThrow(
            () -> new AssertionError(kind + " is not among " + server.eventsAsText(id(replay))));
  }

  static List<JsonNode> payloads(JsonNode task, String kind) {
    List<JsonNode> payloads = new ArrayList<>();
    for (JsonNode event : server.events(id(task))) {
      if (event.get("event").textValue().equals(kind)) {
        payloads.add(event.get("payload"));
      }
    }
    return payloads;
  }

  static JsonNode get(String path) {
    return server.client().get(path).json();
  }
}
