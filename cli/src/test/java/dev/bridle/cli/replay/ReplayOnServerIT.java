package dev.bridle.cli.replay;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.cli.up.SuiteEngine;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of a real server that it replays itself. */
final class ReplayOnServerIT {
  private static final String DATA = "data";
  private static final int REPLAYS = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private UpThread server;
  private ProtocolClient client;

  @BeforeEach
  void start() throws IOException {
    Commands commands = new Commands(directory);
    server = commands.start(DATA, SuiteEngine.engine(directory.resolve(DATA)));
    client = commands.client(server, DATA);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void eachReplayOnTheServerMakesTheSegmentThatTheFileMakes() throws IOException {
    String task = ended(submit(session(), counting()));
    byte[] offline = offlineSegment(task);
    String last = task;
    for (int i = 0; i < REPLAYS; i++) {
      JsonNode replayed = replayed(task, "online-" + i);
      assertThat(replayed.get("final_state").textValue()).isEqualTo("COMPLETED");
      assertThat(Files.readAllBytes(file("online-" + i))).isEqualTo(offline);
      last = replayed.get("replay_task_id").textValue();
    }

    JsonNode ofReplay = replayed(last, "of-replay");

    assertThat(ofReplay.get("source_task_id").textValue()).isEqualTo(last);
    assertThat(ofReplay.get("task_id").textValue()).isEqualTo(task);
    assertThat(Files.readAllBytes(file("of-replay"))).isEqualTo(offline);
    assertThat(
            run(ExitCodes.RECEIPT_NOT_COMPLETE, "receipt", "verify", file("of-replay").toString())
                .out())
        .contains("0 valid, 1 consistent");
  }

  @Tag("slow")
  @Test
  void whatWasFoundIsPrintedWithTheIdsOfTheReplay() {
    String task = ended(submit(session(), counting()));

    List<String> said = replay(0, task).out().lines().toList();

    assertThat(said).hasSize(3);
    assertThat(said.get(0)).matches("replay task_\\w+ of " + task);
    assertThat(said.get(1)).matches("segment receipt_[0-9a-f]{32}: sha256:[0-9a-f]{64}");
    assertThat(said.get(2)).matches(task + " replayed: \\d+ events, COMPLETED, as its receipt .*");
    String replay = said.get(0).replaceFirst("^replay (\\w+) of .*", "$1");
    JsonNode events = client.get("/v1/tasks/" + replay + "/events?limit=200").json().get("data");
    assertThat(events)
        .isNotEmpty()
        .allSatisfy(
            event -> {
              assertThat(event.get("replayed").booleanValue()).isTrue();
              assertThat(event.at("/replay/source_task_id").textValue()).isEqualTo(task);
              assertThat(event.at("/replay/replay_task_id").textValue()).isEqualTo(replay);
            });
    assertThat(events)
        .extracting(event -> event.get("event").textValue())
        .containsSubsequence(
            "replay.started", "replay.event_replayed", "replay.completed", "task.completed");
    assertThat(client.get("/v1/tasks/" + task + "/events?limit=200").json().get("data"))
        .isNotEmpty()
        .allSatisfy(event -> assertThat(event.path("replayed").booleanValue()).isFalse());
  }

  @Tag("slow")
  @Test
  void tasksThatWereCanceledOrHaveFailedReplayToTheSameEnd() throws IOException {
    String session = session();
    String canceled = submit(session, input("ask", "Which text?"));
    awaitStatus(canceled, "INPUT_REQUIRED");
    assertThat(client.post("/v1/tasks/" + canceled + "/cancel", Json.object()).status())
        .isEqualTo(200);
    awaitStatus(canceled, "CANCELED");
    String failed = submit(session, input("ask", ""));
    awaitStatus(failed, "FAILED");

    JsonNode ofCanceled = replayed(canceled, "canceled");
    JsonNode ofFailed = replayed(failed, "failed");

    assertThat(ofCanceled.get("final_state").textValue()).isEqualTo("CANCELED");
    assertThat(ofCanceled.get("status").textValue()).isEqualTo("CANCELED");
    assertThat(Files.readAllBytes(file("canceled"))).isEqualTo(offlineSegment(canceled));
    assertThat(ofFailed.get("final_state").textValue()).isEqualTo("FAILED");
    assertThat(ofFailed.get("status").textValue()).isEqualTo("FAILED");
    assertThat(Files.readAllBytes(file("failed"))).isEqualTo(offlineSegment(failed));
    JsonNode again = task(ofFailed.get("replay_task_id").textValue());
    assertThat(again.at("/failure/code")).isEqualTo(task(failed).at("/failure/code"));
  }

  @Tag("slow")
  @Test
  void theDemoAgentDoesTheSameAgainAsItsTasksEnded() throws IOException {
    String session = session();
    String completed = ended(submit(session, counting()));
    String asked = submit(session, input("ask", "Which text?"));
    awaitStatus(asked, "INPUT_REQUIRED");
    assertThat(client.post("/v1/tasks/" + asked + "/messages", answer("one two")).status())
        .isLessThan(300);
    ended(asked);
    String canceled = submit(session, input("ask", "Which text?"));
    awaitStatus(canceled, "INPUT_REQUIRED");
    assertThat(client.post("/v1/tasks/" + canceled + "/cancel", Json.object()).status())
        .isEqualTo(200);
    awaitStatus(canceled, "CANCELED");
    String failed = submit(session, input("ask", ""));
    awaitStatus(failed, "FAILED");

    for (String task : List.of(completed, asked, canceled, failed)) {
      JsonNode executed = executed(task, "executed");
      assertThat(executed.get("status")).isEqualTo(task(task).get("status"));
      byte[] segment = Files.readAllBytes(file("executed"));
      assertThat(new String(segment, StandardCharsets.UTF_8)).contains("\"depth\":\"execute\"");
      assertThat(executed(task, "again").get("replayed").booleanValue()).isTrue();
      assertThat(Files.readAllBytes(file("again"))).isEqualTo(segment);
    }
    assertThat(replay(0, completed, "--depth", "execute").err())
        .contains("waiting for a worker that takes replays");
    assertThat(replay(ExitCodes.USAGE, completed, "--depth", "all").err()).contains("--depth");
  }

  private JsonNode executed(String task, String segment) {
    return Json.parse(
        replay(0, task, "--depth", "execute", "--json", "--output", file(segment).toString())
            .out());
  }

  private static ObjectNode answer(String text) {
    ObjectNode message = Json.object().put("kind", "input");
    message
        .putObject("message")
        .put("role", "user")
        .putArray("parts")
        .addObject()
        .put("type", "text")
        .put("visibility", "public")
        .put("text", text);
    return message;
  }

  @Tag("slow")
  @Test
  void aTaskWithoutAReceiptCanNotBeReplayedAndTheReasonIsNamed() {
    String task = ended(submit(session(), counting().put("receipt", false)));

    assertThat(replay(ExitCodes.RECEIPT_NOT_COMPLETE, task).out())
        .contains("replay_unavailable: receipt: expected ", "was not replayed");
  }

  @Tag("slow")
  @Test
  void aTaskThatHasNotEndedOrIsNotThereIsTheServersError() {
    String waiting = submit(session(), input("ask", "Which text?"));
    awaitStatus(waiting, "INPUT_REQUIRED");

    assertThat(replay(ExitCodes.FAILED, waiting).err())
        .contains("invalid_state_transition")
        .doesNotContain("task watch");
    assertThat(replay(ExitCodes.FAILED, "task_none").err()).contains("404");
  }

  @Tag("slow")
  @Test
  void theTasksOfASessionReplayInTheirOrderAlsoOnceItIsClosed() {
    String session = session();
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      tasks.add(ended(submit(session, counting())));
    }
    String waiting = submit(session, input("ask", "Which text?"));
    awaitStatus(waiting, "INPUT_REQUIRED");

    List<JsonNode> first = json(session);

    assertThat(first).hasSize(4);
    assertThat(sources(first)).isEqualTo(tasks);
    assertThat(first.get(3).get("replayed").intValue()).isEqualTo(3);
    assertThat(first.get(3).get("not_ended").intValue()).isEqualTo(1);
    assertThat(first.get(3).get("replays_left_out").intValue()).isZero();
    assertThat(replaysOf(first)).hasSize(1);

    assertThat(client.post("/v1/tasks/" + waiting + "/cancel", Json.object()).status())
        .isEqualTo(200);
    awaitStatus(waiting, "CANCELED");
    assertThat(client.post("/v1/sessions/" + session + "/close", Json.object()).status())
        .isEqualTo(200);
    tasks.add(waiting);

    List<JsonNode> closed = json(session);

    assertThat(sources(closed)).isEqualTo(tasks);
    assertThat(closed.get(4).get("replays_left_out").intValue()).isEqualTo(1);
    JsonNode beside = task(closed.get(0).get("replay_task_id").textValue());
    assertThat(beside.get("session_id").textValue()).isNotEqualTo(session);
    assertThat(beside.get("branch_id").textValue()).isNotEmpty();
    assertThat(replaysOf(closed)).hasSize(1);
    assertThat(closed.get(0).at("/segment/receipt_hash"))
        .isEqualTo(first.get(0).at("/segment/receipt_hash"));
    assertThat(closed.get(0).at("/segment/receipt_hash"))
        .isEqualTo(replayed(tasks.get(0), "alone").at("/segment/receipt_hash"));
  }

  private static Set<String> replaysOf(List<JsonNode> lines) {
    return lines.subList(0, lines.size() - 1).stream()
        .map(line -> line.get("replay_task_id").textValue())
        .collect(Collectors.toSet());
  }

  private static List<String> sources(List<JsonNode> lines) {
    return lines.subList(0, lines.size() - 1).stream()
        .map(line -> line.get("source_task_id").textValue())
        .toList();
  }

  private byte[] offlineSegment(String task) throws IOException {
    Path log = file("log");
    Path segment = file("offline");
    run(
        0,
        "replay",
        "record",
        task,
        "--output",
        log.toString(),
        "--url",
        server.url().toString(),
        "--api-key-file",
        file(DATA + ".key").toString());
    run(0, "replay", log.toString(), "--accept-unproven", "--output", segment.toString());
    return Files.readAllBytes(segment);
  }

  private JsonNode replayed(String task, String segment) {
    String said = replay(0, task, "--json", "--output", file(segment).toString()).out();
    assertThat(said.lines()).hasSize(1);
    return Json.parse(said);
  }

  private List<JsonNode> json(String session) {
    return replay(0, session, "--json").out().lines().map(Json::parse).toList();
  }

  private Commands.Said replay(int exitCode, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "replay",
                "--url",
                server.url().toString(),
                "--api-key-file",
                file(DATA + ".key").toString()));
    arguments.addAll(List.of(more));
    return run(exitCode, arguments.toArray(String[]::new));
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  private String session() {
    return id(client.post("/v1/sessions", Json.object().put("workspace_id", "default")).json());
  }

  private String submit(String session, JsonNode body) {
    return id(client.post("/v1/sessions/" + session + "/tasks", body).json());
  }

  private static ObjectNode counting() {
    return input("text", "one two one");
  }

  private static ObjectNode input(String member, String value) {
    ObjectNode body = Json.object();
    body.putObject("input").put(member, value);
    return body;
  }

  private String ended(String task) {
    awaitStatus(task, "COMPLETED");
    return task;
  }

  private void awaitStatus(String task, String status) {
    await(status).atMost(PATIENCE).until(() -> task(task).get("status").textValue().equals(status));
  }

  private JsonNode task(String id) {
    return client.get("/v1/tasks/" + id).json();
  }

  private static String id(JsonNode resource) {
    return resource.get("id").textValue();
  }
}
