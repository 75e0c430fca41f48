package dev.bridle.cli.admin;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators' commands on a directory that no server runs on. */
@Tag("slow")
final class StoppedDirectoryIT {
  @TempDir private Path directory;

  @Test
  void anExportAndABackupLeaveEverythingAsItWas() throws IOException {
    fill();
    // A server that was stopped so that its events are saved before they drop.
    run(0, "tenant", "retention", "default", "--max-events", "1", "--data-dir", path("data"));
    List<String> before = AllRows.of(directory.resolve("data"));

    run(0, "export", "--data-dir", path("data"), "--output", path("out.bridle"));
    run(0, "backup", "--data-dir", path("data"), "--output", path("backups"));
    run(0, "storage", "check", "--data-dir", path("data"));

    assertThat(AllRows.of(directory.resolve("data"))).isEqualTo(before);
  }

  @Test
  void anImportIntoAnEmptyDirectoryLeavesTheFirstKeyToTheFirstStart() throws IOException {
    fill();
    run(0, "export", "--data-dir", path("data"), "--output", path("out.bridle"));
    run(0, "receipt", "keys", "--pin", path("keys.json"), "--data-dir", path("data"));
    Files.createDirectory(directory.resolve("named"));
    Files.createDirectory(directory.resolve("same"));

    String[] file = {"import", path("out.bridle"), "--keys", path("keys.json"), "--data-dir"};
    run(0, with(file, path("named"), "--tenant", "acme"));
    run(0, with(file, path("same")));

    assertThat(run(0, "tenant", "list", "--data-dir", path("named")).out().lines())
        .singleElement()
        .asString()
        .startsWith("acme");
    assertThat(sessionsSeenByTheFirstKey("named")).isZero();
    assertThat(sessionsSeenByTheFirstKey("same")).isEqualTo(1);
  }

  private static String[] with(String[] words, String... more) {
    return Stream.of(words, more).flatMap(Stream::of).toArray(String[]::new);
  }

  private int sessionsSeenByTheFirstKey(String data) throws IOException {
    try (LocalServer server = LocalServer.start(LocalServerOptions.of(directory.resolve(data)))) {
      return new ProtocolClient(server.baseUrl(), server.firstKey().orElseThrow())
          .get("/v1/sessions")
          .json()
          .get("data")
          .size();
    }
  }

  /** Makes a directory with a session and a few tasks. */
  private void fill() throws IOException {
    try (LocalServer server = LocalServer.start(LocalServerOptions.of(directory.resolve("data")))) {
      ProtocolClient client = new ProtocolClient(server.baseUrl(), server.firstKey().orElseThrow());
      String session =
          client
              .post("/v1/sessions", Json.object().put("workspace_id", "default"))
              .json()
              .get("id")
              .textValue();
      for (int i = 0; i < 3; i++) {
        ObjectNode body = Json.object();
        body.putObject("input").put("text", "one two one").put("delay_ms", 60_000);
        assertThat(client.post("/v1/sessions/" + session + "/tasks", body).status()).isEqualTo(202);
      }
    }
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }
}
