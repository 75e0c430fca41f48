package dev.bridle.cli.replay;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How replays that end badly are printed, and which options go with them. */
final class OnlineReplayTest {
  private static final String[] COMPLETED = {
    "replay.completed",
    "{\"events\":9,\"withheld\":0,\"final_state\":\"FAILED\",\"segment_receipt_id\":\"receipt_s\","
        + "\"segment_receipt_hash\":\"sha256:5\",\"artifact_id\":\"artifact_s\"}",
    "task.failed",
    "{\"code\":\"of_the_origin\"}"
  };
  private static final String[] DIVERGED = {
    "replay.started",
    "{}",
    "replay.failed",
    "{\"code\":\"replay_diverged\",\"sequence\":3,\"what\":\"commitment\\n\"}",
    "task.failed",
    "{\"code\":\"replay_diverged\"}"
  };
  private static final String[] HANDLER_DIVERGED = {
    "replay.failed",
    "{\"code\":\"replay_diverged\",\"what\":\"step note: not recorded\"}",
    "task.failed",
    "{\"code\":\"replay_diverged\"}"
  };
  private static final String[] UNAVAILABLE = {
    "replay.started",
    "{}",
    "replay.failed",
    "{\"code\":\"replay_unavailable\",\"what\":\"events\",\"expected\":\"9\",\"found\":\"none\"}",
    "task.failed",
    "{}"
  };
  private static final String[] CANCELED = {"replay.started", "{}", "task.canceled", "{}"};

  @TempDir private Path directory;
  private ScriptedReplays server;

  @BeforeEach
  void start() throws IOException {
    server = new ScriptedReplays();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void theFirstDifferenceIsPrintedAndLeavesNoSegment() {
    server.events("task_1", DIVERGED);
    Path segment = directory.resolve("segment.json");

    String said =
        replay(ExitCodes.RECEIPT_NOT_VALID, "task_1", "--output", segment.toString()).out();

    assertThat(said.lines())
        .containsExactly(
            "replay task_1r of task_1",
            "replay_diverged at event 3: commitment\\u{a}",
            "task_1 was not replayed: see the first difference above.",
            "What the log and the receipt have there: 'bridle replay record task_1 --output FILE',"
                + " then 'bridle replay FILE'.");
    assertThat(segment).doesNotExist();
    JsonNode line = json(ExitCodes.RECEIPT_NOT_VALID, "task_1").get(0);
    assertThat(line.get("replayed").booleanValue()).isFalse();
    assertThat(line.at("/fault/code").textValue()).isEqualTo("replay_diverged");
    assertThat(line.at("/fault/sequence").intValue()).isEqualTo(3);
    assertThat(line.get("fault").has("expected")).isFalse();
    assertThat(line.has("segment")).isFalse();
  }

  @Test
  void whatIsMissingHasAnExitCodeOfItsOwn() {
    server.events("task_1", UNAVAILABLE);

    assertThat(replay(ExitCodes.RECEIPT_NOT_COMPLETE, "task_1").out().lines())
        .containsExactly(
            "replay task_1r of task_1",
            "replay_unavailable: events: expected 9, found none",
            "task_1 was not replayed: see above for what is missing.");
  }

  @Test
  void theLogIsNotNamedWhereTheHandlerDidSomethingElse() {
    server.events("task_1", HANDLER_DIVERGED);

    assertThat(replay(ExitCodes.RECEIPT_NOT_VALID, "task_1").out().lines())
        .containsExactly(
            "replay task_1r of task_1",
            "replay_diverged: step note: not recorded",
            "task_1 was not replayed: see the first difference above.");
  }

  @Test
  void onlyWhatIsMoreThanOneIsPlural() {
    server.events("task_1", overridden("llm:1", "said"));
    server.events("task_2", overridden("llm:1", "said", "llm:2", "noted"));
    server.events("task_3", overridden("llm:1", ""));

    assertThat(replay(0, "task_1").out())
        .endsWith("task_1 replayed with 1 override: FAILED, 1 step differs.\n");
    assertThat(replay(0, "task_2").out())
        .endsWith("task_2 replayed with 2 overrides: FAILED, 2 steps differ.\n");
    assertThat(replay(0, "task_3").out())
        .endsWith("task_3 replayed with 1 override: FAILED, 0 steps differ.\n");
  }

  @Test
  void aReplayThatFailsOnlyAsItsOriginDidIsASuccess() {
    server.events("task_1", COMPLETED);

    assertThat(replay(0, "task_1").out())
        .contains(
            "segment receipt_s: sha256:5",
            "task_1 replayed: 9 events, FAILED, as its receipt says.");
  }

  @Test
  void whatWasComputedAnewIsPrintedAsSuch() {
    List<String> events = new ArrayList<>();
    events.add("replay.event_replayed");
    events.add("{\"change\":\"refreshed\",\"step_key\":\"llm:1\"}");
    events.addAll(List.of(COMPLETED));
    server.events("task_1", events.toArray(String[]::new));

    assertThat(replay(0, "task_1", "--refresh", "llm:1").out())
        .contains(
            "  refreshed     llm:1", "task_1 replayed with 1 refreshed value: FAILED, 0 steps");
    server.events("task_1", COMPLETED);
    server.refreshes("llm:1");
    assertThat(replay(0, "task_1", "--refresh", "llm:1").out())
        .contains("  not refreshed llm:1", "task_1 replayed with 0 overrides: FAILED, 0 steps");
    assertThat(run(2, "replay", "task_1", "--refresh", "a", "--depth", "execute").err())
        .contains("--depth is not for");
    assertThat(run(2, "replay", "session_1", "--refresh", "a").err())
        .contains("--refresh is not for a session");
  }

  @Test
  void aReplayThatEndsBeforeItsResultIsNoProofOfEither() {
    server.events("task_1", CANCELED);

    assertThat(replay(ExitCodes.TASK_NOT_COMPLETED, "task_1").out().lines())
        .containsExactly(
            "replay task_1r of task_1",
            "the replay ended CANCELED before it had a result",
            "task_1 was not replayed: see above.");
    assertThat(json(ExitCodes.TASK_NOT_COMPLETED, "task_1").get(0).get("status").textValue())
        .isEqualTo("CANCELED");
  }

  @Test
  void theReplayOfASessionIsPrintedTaskByTaskAndHasTheExitCodeOfItsWorst() {
    server.events(
        "session_1",
        "replay.failed",
        "{\"source_task_id\":\"task_1\",\"code\":\"replay_unavailable\",\"what\":\"events\"}",
        "replay.failed",
        "{\"source_task_id\":\"task_2\",\"code\":\"replay_diverged\",\"what\":\"times\"}",
        "replay.completed",
        "{\"source_task_id\":\"task_3\",\"events\":9,\"withheld\":0,\"final_state\":\"FAILED\","
            + "\"segment_receipt_id\":\"receipt_s\",\"segment_receipt_hash\":\"sha256:5\","
            + "\"artifact_id\":\"artifact_s\"}",
        "session.replayed",
        "{\"replayed\":1,\"not_replayed\":2,\"not_ended\":3,\"replays_left_out\":4}",
        "task.failed",
        "{\"failure\":{\"code\":\"replay_unavailable\",\"message\":\"task_1: events\"}}");

    assertThat(replay(ExitCodes.RECEIPT_NOT_VALID, "session_1").out().lines())
        .containsExactly(
            "task_1 not replayed by session_1r: replay_unavailable: events",
            "task_2 not replayed by session_1r: replay_diverged: times",
            "task_3 replayed by session_1r: 9 events, FAILED, segment receipt_s: sha256:5",
            "session_1: 1 replayed, 2 not replayed. Left out: 3 not ended, 4 replays.");
    List<JsonNode> lines = json(ExitCodes.RECEIPT_NOT_VALID, "session_1");
    assertThat(lines).hasSize(4);
    assertThat(lines.get(2).get("replay_task_id").textValue()).isEqualTo("session_1r");
    assertThat(lines.get(2).has("status")).isFalse();
    assertThat(lines.get(3).get("not_replayed").intValue()).isEqualTo(2);
    assertThat(lines.get(3).get("not_ended").intValue()).isEqualTo(3);
    assertThat(lines.get(3).get("replays_left_out").intValue()).isEqualTo(4);
  }

  @Test
  void theReplayOfASessionThatEndsBeforeItsResultSaysHow() {
    server.events("session_1", CANCELED);
    server.events(
        "session_2",
        "replay.failed",
        "{\"code\":\"replay_unavailable\",\"what\":\"session\"}",
        "task.failed",
        "{\"failure\":{\"code\":\"replay_unavailable\",\"message\":\"too many tasks\"}}");

    assertThat(replay(ExitCodes.TASK_NOT_COMPLETED, "session_1").out().lines())
        .containsExactly(
            "session_1 not replayed by session_1r: it ended CANCELED before it had a result");
    assertThat(replay(ExitCodes.RECEIPT_NOT_COMPLETE, "session_2").out().lines())
        .containsExactly("session_2 not replayed by session_2r: too many tasks");
    assertThat(json(ExitCodes.TASK_NOT_COMPLETED, "session_1").get(0).get("status").textValue())
        .isEqualTo("CANCELED");
  }

  @Test
  void handlersOfASessionGoOnAfterADifferenceAndHaveTheExitCodeOfTheWorst() {
    server.events("task_1", UNAVAILABLE);
    server.events("task_2", DIVERGED);
    server.events("task_3", COMPLETED);
    server.tasks(
        task("task_5", "SUBMITTED"),
        replayTask("task_4"),
        task("task_3", "FAILED"),
        task("task_2", "CANCELED"),
        task("task_1", "COMPLETED"));

    List<String> lines =
        replay(ExitCodes.RECEIPT_NOT_VALID, "session_1", "--depth", "execute")
            .out()
            .lines()
            .toList();

    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).startsWith("task_1 not replayed by task_1r: replay_unavailable: ");
    assertThat(lines.get(1)).startsWith("task_2 not replayed by task_2r: replay_diverged at ");
    assertThat(lines.get(2)).startsWith("task_3 replayed by task_3r: 9 events, FAILED, segment ");
    assertThat(lines.get(3))
        .isEqualTo("session_1: 1 replayed, 2 not replayed. Left out: 1 not ended, 1 replay.");
  }

  @Test
  void optionsThatWouldNotBeUsedAreRefused() throws IOException {
    String file = Files.writeString(directory.resolve("task.jsonl"), "").toString();

    assertThat(run(2, "replay", "task_1", "--keys", file).err())
        .contains("--keys is for a file only");
    assertThat(run(2, "replay", "task_1", "--require-complete").err())
        .contains("--require-complete is for a file only");
    assertThat(run(2, "replay", "session_1", "--output", file).err())
        .contains("--output is not for a session");
    assertThat(run(2, "replay", file, "--url", server.url()).err())
        .contains("--url is for a task or session on a server");
    assertThat(run(2, "replay", "-", "--api-key", "k").err())
        .contains("--api-key is for a task or session on a server");
    assertThat(run(2, "replay", "--url", server.url(), "record", "task_1", "--output", file).err())
        .contains("Give all arguments after 'record'.");
  }

  @Test
  void noServerIsAskedWithoutAKey() {
    assertThat(
            run(2, "replay", "task_1", "--api-key-file", directory.resolve("none").toString())
                .err())
        .contains("can't be read");
  }

  /** Returns the events of a replay with overrides, each of which changes a report or none. */
  private static String[] overridden(String... keysAndReports) {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < keysAndReports.length; i += 2) {
      events.addAll(change("overridden", keysAndReports[i]));
      if (!keysAndReports[i + 1].isEmpty()) {
        events.addAll(change("not_taken", keysAndReports[i + 1]));
      }
    }
    events.addAll(List.of(COMPLETED));
    return events.toArray(String[]::new);
  }

  private static List<String> change(String change, String key) {
    return List.of(
        "replay.event_replayed",
        Json.object().put("change", change).put("step_key", key).toString());
  }

  private Commands.Said replay(int exitCode, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("replay", "--url", server.url(), "--api-key", "k"));
    arguments.addAll(List.of(more));
    return run(exitCode, arguments.toArray(String[]::new));
  }

  private List<JsonNode> json(int exitCode, String source) {
    return replay(exitCode, source, "--json").out().lines().map(Json::parse).toList();
  }

  private static JsonNode task(String id, String status) {
    return Json.object().put("id", id).put("status", status);
  }

  private static JsonNode replayTask(String id) {
    var task = Json.object().put("id", id).put("status", "COMPLETED");
    task.putObject("replay").put("source_task_id", "task_1");
    return task;
  }
}
