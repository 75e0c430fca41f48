package dev.bridle.cli.replay;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays with overrides on the command line, of tasks of the demo agent. */
final class OverriddenTaskIT {
  private static final String DATA = "data";
  private static final String KEY = "llm:demo:1";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private static Path directory;
  private static UpThread server;
  private static ProtocolClient client;

  @BeforeAll
  static void start() throws IOException {
    Commands commands = new Commands(directory);
    server = commands.start(DATA);
    client = commands.client(server, DATA);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void whatDiffersIsPrintedWithItsReason() throws IOException {
    String task = asked("two one");
    Path segment = directory.resolve("segment.json");

    List<String> said =
        replay(
                ExitCodes.DONE,
                task,
                "--override",
                answers("{\"llm:demo:1\":{\"value\":\"one two three\",\"reason\":\"what if\"}}"),
                "--output",
                segment.toString())
            .out()
            .lines()
            .toList();

    assertThat(said).hasSize(6);
    assertThat(said.get(0)).matches("replay task_\\w+ of " + task);
    assertThat(said.get(1)).isEqualTo("  changed       report (artifact)");
    assertThat(said.get(2)).isEqualTo("  overridden    llm:demo:1: what if");
    assertThat(said.get(3)).isEqualTo("  ended         (artifacts)");
    assertThat(said.get(4)).startsWith("segment receipt_");
    assertThat(said.get(5))
        .isEqualTo(task + " replayed with 1 override: COMPLETED, 1 step differs.");
    assertThat(run(ExitCodes.RECEIPT_NOT_COMPLETE, "receipt", "verify", segment.toString()).out())
        .contains("0 valid, 1 consistent");
    assertThat(Json.parse(Files.readString(segment)).at("/deltas/0/override_key").textValue())
        .isEqualTo(KEY);
  }

  @Test
  void aDiffShowsWhatWasReportedAndWhichMembersOfTheReceiptDiffer() throws IOException {
    String task = asked("two one");
    String file = answers("{\"llm:demo:1\":{\"value\":\"one two three\"}}");

    String said = replay(ExitCodes.DONE, task, "--override", file, "--diff").out();
    JsonNode line =
        Json.parse(replay(ExitCodes.DONE, task, "--override", file, "--diff", "--json").out());

    assertThat(said).contains("      - {\"artifact_id\":", "      + {\"artifact_id\":");
    assertThat(said).contains("  receipt       /final_artifacts", "/replay_input/materials");
    assertThat(said).doesNotContain("/lifecycle");
    JsonNode change = line.at("/changes/0");
    assertThat(change.get("step_key").textValue()).isEqualTo("report");
    assertThat(change.at("/before/sha256")).isNotEqualTo(change.at("/after/sha256"));
    assertThat(line.get("receipt").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("/replay_input/materials", "/final_artifacts");
  }

  @Test
  void aHandlerThatFailsNowIsASuccessfulReplay() throws IOException {
    String task = asked("two one");

    String said =
        replay(ExitCodes.DONE, task, "--override", answers("{\"llm:demo:1\":{\"value\":7}}")).out();

    assertThat(said).contains("not taken     report", "FAILED");
  }

  @Test
  void theWholeRequestOfTheProtocolIsAFileToo() throws IOException {
    String task = asked("two one");
    String request =
        "{\"mode\":\"with_overrides\",\"override\":{\"llm:demo:1\":{"
            + "\"kind\":\"llm_provider_response\",\"target\":\"demo\",\"value\":\"two one\","
            + "\"visibility\":\"receipt_only\",\"reason\":\"again\"}},\"reason\":\"because\"}";

    String said = replay(ExitCodes.DONE, task, "--override", answers(request)).out();

    assertThat(said).contains("0 steps differ").contains("overridden    llm:demo:1: again");
  }

  @Test
  void aFileOrAKeyThatIsWrongIsNamed() throws IOException {
    String task = asked("two one");

    assertThat(replay(ExitCodes.USAGE, task, "--override", answers("[]")).err())
        .contains("has no overrides");
    assertThat(replay(ExitCodes.USAGE, task, "--override", answers("{\"a\"")).err())
        .contains("can't be read");
    assertThat(
            replay(ExitCodes.FAILED, task, "--override", answers("{\"llm:x\":{\"value\":1}}"))
                .err())
        .contains("names `llm:x`, and the task has recorded no such value");
    assertThat(replay(ExitCodes.USAGE, task, "--diff").err())
        .contains("--diff is for '--override'");
    assertThat(
            replay(
                    ExitCodes.USAGE,
                    task,
                    "--override",
                    answers("{\"a\":{\"value\":1}}"),
                    "--depth",
                    "execute")
                .err())
        .contains("--depth is not for '--override'");
    assertThat(
            replay(ExitCodes.USAGE, "session_1", "--override", answers("{\"a\":{\"value\":1}}"))
                .err())
        .contains("--override is not for a session");
  }

  @Test
  void aReplayBeginsAtAnEvent() throws IOException {
    String task = asked("two one");
    JsonNode events = client.get("/v1/tasks/" + task + "/events?limit=200").json().get("data");
    String first = events.get(0).get("id").textValue();
    String last = events.get(events.size() - 1).get("id").textValue();
    String file = answers("{\"llm:demo:1\":{\"value\":\"three\"}}");

    String whole = replay(ExitCodes.DONE, task, "--from-checkpoint", first).out();
    String changed =
        replay(ExitCodes.DONE, task, "--from-checkpoint", first, "--override", file).out();

    assertThat(whole).contains("COMPLETED, as its receipt says");
    assertThat(changed).contains("overridden    llm:demo:1");
    assertThat(replay(ExitCodes.FAILED, task, "--from-checkpoint", last, "--override", file).err())
        .contains("recorded before the checkpoint");
    assertThat(replay(ExitCodes.FAILED, task, "--from-checkpoint", "half").err())
        .contains("names no checkpoint");
    assertThat(replay(ExitCodes.USAGE, "session_1", "--from-checkpoint", "half").err())
        .contains("--from-checkpoint is not for a session");
  }

  private static String answers(String json) throws IOException {
    return Files.writeString(directory.resolve("answers.json"), json).toString();
  }

  private static Commands.Said replay(int exitCode, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "replay",
                "--url",
                server.url().toString(),
                "--api-key-file",
                directory.resolve(DATA + ".key").toString()));
    arguments.addAll(List.of(more));
    return run(exitCode, arguments.toArray(String[]::new));
  }

  /** Has the demo agent ask its model. */
  private static String asked(String prompt) {
    String session =
        id(client.post("/v1/sessions", Json.object().put("workspace_id", "default")).json());
    ObjectNode body = Json.object();
    body.putObject("input").put("prompt", prompt);
    String task = id(client.post("/v1/sessions/" + session + "/tasks", body).json());
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                client
                    .get("/v1/tasks/" + task)
                    .json()
                    .get("status")
                    .textValue()
                    .equals("COMPLETED"));
    return task;
  }

  private static String id(JsonNode resource) {
    return resource.get("id").textValue();
  }
}
