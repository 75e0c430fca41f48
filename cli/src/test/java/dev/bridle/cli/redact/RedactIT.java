package dev.bridle.cli.redact;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task is redacted on a real server, and everybody looks for what it said. */
final class RedactIT {
  private static final String MARKER = "marker4be1";

  @TempDir private Path directory;

  @Test
  void nobodyFindsWhatATaskSaidOnceItIsRedactedAndItsReceiptStillVerifies() throws IOException {
    Commands commands = new Commands(directory);
    String receipts = commands.path("receipts.jsonl");
    String keys = commands.path("keys.json");
    try (UpThread server = commands.start("data")) {
      ProtocolClient client = commands.client(server, "data");
      String task =
          Json.parse(
                  online(
                          server, commands, 0, "task", "submit", "--text", MARKER, "--watch",
                          "--json")
                      .out()
                      .lines()
                      .findFirst()
                      .orElseThrow())
              .get("id")
              .textValue();
      String session = client.get("/v1/tasks/" + task).json().get("session_id").textValue();
      assertThat(seen(client, session, task)).anyMatch(text -> text.contains(MARKER));

      String unconfirmed = online(server, commands, 2, "redact", "--task", task).err();
      assertThat(unconfirmed).contains("--yes is required");
      assertThat(seen(client, session, task)).anyMatch(text -> text.contains(MARKER));
      List<JsonNode> redactions =
          online(
                  server,
                  commands,
                  0,
                  "redact",
                  "--task",
                  task,
                  "--yes",
                  "--reason",
                  "a test",
                  "--json")
              .out()
              .lines()
              .map(Json::parse)
              .toList();

      assertThat(redactions)
          .isNotEmpty()
          .allMatch(redaction -> redaction.get("status").textValue().equals("done"));
      assertThat(seen(client, session, task)).noneMatch(text -> text.contains(MARKER));
      assertThat(online(server, commands, 0, "redaction", "list").out())
          .contains(redactions.get(0).get("id").textValue(), "done");
      assertThat(online(server, commands, 0, "redact", "--task", task, "--yes").out())
          .contains("Backups and exports from before");
      online(
          server,
          commands,
          0,
          "receipt",
          "export",
          "--session",
          session,
          "--output",
          receipts,
          "--keys",
          keys);
    }

    assertThat(
            run(0, "receipt", "verify", receipts, "--keys", keys, "--chain", "--require-complete")
                .out())
        .contains("1 valid, 0 consistent, 0 not valid.");
    run(0, "storage", "check", "--data-dir", commands.path("data"));
    String export = commands.path("export.bridle");
    run(
        0,
        "export",
        "--tenant",
        "default",
        "--output",
        export,
        "--data-dir",
        commands.path("data"));
    assertThat(Files.readString(Path.of(export), StandardCharsets.ISO_8859_1))
        .doesNotContain(MARKER)
        .contains("redaction_");
  }

  private static Commands.Said online(
      UpThread server, Commands commands, int exitCode, String... arguments) {
    return run(
        exitCode,
        Stream.concat(
                Stream.of(arguments),
                Stream.of(
                    "--url", server.url().toString(), "--api-key-file", commands.path("data.key")))
            .toArray(String[]::new));
  }

  /** Returns everything that REST and streams say about a task. */
  private static List<String> seen(ProtocolClient client, String session, String task) {
    List<String> seen = new ArrayList<>();
    for (String path :
        List.of(
            "/v1/tasks/" + task,
            "/v1/tasks/" + task + "/events?limit=200",
            "/v1/tasks/" + task + "/stream",
            "/v1/tasks/" + task + "/log",
            "/v1/tasks/" + task + "/receipts",
            "/v1/sessions/" + session + "/messages",
            "/v1/sessions/" + session + "/events?limit=200",
            "/v1/events?limit=200",
            "/v1/outcomes?task_id=" + task,
            "/v1/artifacts?task_id=" + task)) {
      seen.add(client.get(path).text());
    }
    for (JsonNode artifact : client.get("/v1/artifacts?task_id=" + task).json().get("data")) {
      seen.add(client.get("/v1/artifacts/" + artifact.get("id").textValue() + "/content").text());
    }
    return seen;
  }
}
