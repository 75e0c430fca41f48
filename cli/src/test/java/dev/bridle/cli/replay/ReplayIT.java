package dev.bridle.cli.replay;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of a real server, replayed by somebody who has only the file. */
final class ReplayIT {
  @TempDir private Path directory;

  @Test
  void aTaskReplaysWithoutItsServerAndNothingThatWasChangedDoes() throws IOException {
    Commands commands = new Commands(directory);
    Path file = directory.resolve("task.jsonl");
    Path again = directory.resolve("again.jsonl");
    Path keys = directory.resolve("keys.json");
    try (UpThread server = commands.start("data")) {
      String task = commands.completedTask(server, "data");
      assertThat(record(0, commands, server, task, file).out())
          .contains(" events of " + task + ", with receipt receipt_");
      record(0, commands, server, task, again);
      Files.write(
          keys, commands.client(server, "data").get("/.well-known/receipt-keys.json").bytes());
    }
    Path segment = directory.resolve("segment.json");

    String said =
        run(
                0,
                "replay",
                file.toString(),
                "--keys",
                keys.toString(),
                "--require-complete",
                "--output",
                segment.toString())
            .out();

    assertThat(said).contains("COMPLETED, as its receipt says.").doesNotContain("not checked  ");
    assertThat(Files.readAllLines(file)).isEqualTo(Files.readAllLines(again));
    assertThat(run(ExitCodes.RECEIPT_NOT_COMPLETE, "receipt", "verify", segment.toString()).out())
        .contains("0 valid, 1 consistent");
    List<String> lines = Files.readAllLines(file);
    List<String> dropped = new ArrayList<>(lines);
    dropped.remove(lines.size() - 2);
    assertThat(refused(dropped)).contains("replay_diverged at event ", "sequence");
    List<String> altered = new ArrayList<>(lines);
    altered.replaceAll(line -> line.replace("one two one", "two one two"));
    assertThat(refused(altered)).contains("replay_diverged at event 1: commitment");
  }

  @Tag("slow")
  @Test
  void aTaskWithoutAReceiptIsNotRecordedAndTheReasonIsGiven() throws IOException {
    Commands commands = new Commands(directory);
    Path file = directory.resolve("task.jsonl");
    try (UpThread server = commands.start("data")) {
      ProtocolClient client = commands.client(server, "data");
      String session =
          client
              .post("/v1/sessions", Json.object().put("workspace_id", "default"))
              .json()
              .get("id")
              .textValue();
      ObjectNode body = Json.object().put("receipt", false);
      body.putObject("input").put("text", "one two one");
      String task =
          client.post("/v1/sessions/" + session + "/tasks", body).json().get("id").textValue();
      await()
          .until(
              () ->
                  client
                      .get("/v1/tasks/" + task)
                      .json()
                      .get("status")
                      .asText()
                      .equals("COMPLETED"));

      assertThat(record(ExitCodes.FAILED, commands, server, task, file).err())
          .contains("The task has no receipt");
      assertThat(record(ExitCodes.FAILED, commands, server, "task_none", file).err())
          .contains("404");
    }
    assertThat(file).doesNotExist();
  }

  private String refused(List<String> lines) throws IOException {
    Path file = Files.write(directory.resolve("changed.jsonl"), lines);
    return run(ExitCodes.RECEIPT_NOT_VALID, "replay", file.toString()).out();
  }

  private static Commands.Said record(
      int exitCode, Commands commands, UpThread server, String task, Path file) {
    return run(
        exitCode,
        "replay",
        "record",
        task,
        "--output",
        file.toString(),
        "--url",
        server.url().toString(),
        "--api-key-file",
        commands.path("data.key"));
  }
}
