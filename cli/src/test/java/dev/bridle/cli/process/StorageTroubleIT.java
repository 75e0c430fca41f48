package dev.bridle.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.Bridle;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.SystemSpace;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server on disks that fail it: it says so in one line and ends, or waits for room. */
@Tag("slow")
final class StorageTroubleIT {

  @TempDir private Path root;

  private Path directory;

  @BeforeEach
  void choose() {
    directory = root.resolve("disk");
  }

  @Test
  void aReadOnlyDirectoryIsRefusedInOneLine() throws Exception {
    try (SmallDisk disk = SmallDisk.start(directory, "mount -o remount,ro \"$disk\"")) {
      assertThat(disk.failure())
          .singleElement()
          .asString()
          .startsWith("bridle: The data directory " + directory)
          .contains("Read-only file system");
    }
  }

  @Test
  void aDiskWithTooLittleRoomIsRefusedInOneLine() throws Exception {
    try (SmallDisk disk = SmallDisk.start(directory, "true", "--min-free-bytes", "1000000000")) {
      assertThat(disk.failure())
          .singleElement()
          .asString()
          .startsWith("bridle: Too little free space is left on the disk of the data directory")
          .contains("--min-free-bytes");
    }
  }

  @Test
  void aMarginThatTheEngineItselfNeedsIsRefusedAsWrongUse() {
    assertThat(
            Commands.run(2, "up", "--data-dir", directory.toString(), "--min-free-bytes", "1000")
                .err())
        .contains("less than the engine needs", "67108864");
  }

  @Test
  void aDiskThatFillsUpUnderTheServerStopsItWithOneClearLineAndNoStackTrace() throws Exception {
    try (SmallDisk disk = SmallDisk.start(directory, "true", "--min-free-bytes", "0")) {
      ProtocolClient client = client(disk.ready());
      String session = newSession(client);
      assertThat(client.get("/v1/sessions/" + session).status()).isEqualTo(200);
      disk.run("cat /dev/zero > \"$disk/filler\" 2>/dev/null");
      await().atMost(Duration.ofMinutes(3)).until(() -> !writes(client, session));
      List<String> lines = disk.failure();
      assertThat(lines.get(lines.size() - 1))
          .startsWith("bridle: The data directory " + directory + " failed (")
          .contains("No space left on device")
          .contains("then start again");
      assertThat(lines).noneMatch(line -> line.startsWith("\tat "));
    }
  }

  @Test
  void aDiskThatIsAlmostFullRefusesWritesUntilThereIsRoomAgain() throws Exception {
    try (SmallDisk disk = SmallDisk.start(directory, "true", "--min-free-bytes", "67108864")) {
      ProtocolClient client = client(disk.ready());
      String session = newSession(client);
      disk.run(
          "free=$(df -Pk \"$disk\" | awk 'END { print $4 }');"
              + " head -c $((free * 1024 - 40000000)) /dev/zero > \"$disk/filler\"");
      await().atMost(Duration.ofMinutes(3)).until(() -> !writes(client, session));
      Answer refused = client.post("/v1/sessions", Json.object().put("workspace_id", "default"));
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.json().toString()).contains("disk is nearly full");
      assertThat(client.get("/v1/sessions/" + session).status()).isEqualTo(200);
      disk.run("rm \"$disk/filler\"");
      await().atMost(Duration.ofMinutes(3)).until(() -> writes(client, session));
    }
  }

  /** Submits a large task; the log has room set aside for small ones. */
  private static boolean writes(ProtocolClient client, String session) {
    ObjectNode body = Json.object();
    body.putObject("input").put("text", "word ".repeat(50_000));
    try {
      return client.post("/v1/sessions/" + session + "/tasks", body).status() == 202;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  @Test
  void dataOfALaterFormatIsRefusedInOneLine() {
    Rows rows = new Rows(KeyLayout.root());
    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      store.transact(
          tr -> {
            tr.set(rows.key(SystemSpace.FORMAT), rows.value(99));
            return true;
          });
    }
    StringWriter err = new StringWriter();
    int exit =
        Bridle.commandLine()
            .setErr(new PrintWriter(err))
            .execute("up", "--data-dir", directory.toString());
    assertThat(exit).isEqualTo(1);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith("bridle: The stored data has format 99")
        .contains("use the newer Bridle that wrote it");
  }

  private static ProtocolClient client(JsonNode ready) {
    return new ProtocolClient(
        URI.create(ready.get("http_url").textValue()), ready.get("api_key").textValue());
  }

  private static String newSession(ProtocolClient client) {
    return client
        .post("/v1/sessions", Json.object().put("workspace_id", "default"))
        .json()
        .get("id")
        .textValue();
  }
}
