package dev.bridle.cli.portability;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.cli.storage.SoundStorage;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the server that imports. */
@Tag("slow")
final class KilledImportIT {
  private static final int SESSIONS = 40;
  private static final int MESSAGES = 50;
  private static final int TEXT = 6000;

  @TempDir private Path directory;

  @Test
  void anImportGoesOnAfterItsServerWasKilledAndDoublesNothing() throws IOException {
    Commands commands = new Commands(directory);
    String file = commands.path("default.bridle");
    String data = commands.path("target");
    try (UpThread source = commands.start("source")) {
      ProtocolClient before = commands.client(source, "source");
      commands.completedTask(source, "source");
      IntStream.range(0, SESSIONS).forEach(number -> session(before, number));
      run(0, "export", "--data-dir", commands.path("source"), "--output", file);
      String keys = commands.publicKeys("source");

      try (ServerProcess target = commands.startProcess("target")) {
        ProtocolClient client = commands.client(target, "target");
        CompletableFuture<Commands.Said> importing =
            CompletableFuture.supplyAsync(
                () -> run(1, "import", file, "--keys", keys, "--data-dir", data));
        await("the first sessions")
            .pollInterval(Duration.ofMillis(5))
            .until(() -> importing.isDone() || sessions(client) >= 2);
        target.kill();
        assertThat(importing.join().err()).contains("Run the same command again");
      }
      assertThat(run(0, "storage", "check", "--data-dir", data, "--repair").out())
          .contains("Tenant default is not checked: an import into it has not ended.");

      try (ServerProcess target = commands.startProcess("target")) {
        ProtocolClient after = commands.client(target, "target");
        assertThat(sessions(after)).isBetween(2, SESSIONS - 1);

        String done = run(0, "import", file, "--keys", keys, "--data-dir", data, "--json").out();

        assertThat(Json.parse(done).get("already_loaded").booleanValue()).isFalse();
        assertThat(read(after)).isEqualTo(read(before));
        List<String> told = log(after);
        assertThat(told).filteredOn(event -> event.contains("vendor.bridle.imported")).hasSize(1);
        assertThat(told.subList(0, told.size() - 1)).isEqualTo(log(before)).doesNotHaveDuplicates();
        SoundStorage.check(Path.of(data));
      }
    }
  }

  private static void session(ProtocolClient client, int number) {
    ObjectNode session = Json.object().put("workspace_id", "default");
    ArrayNode messages = session.putArray("initial_messages");
    for (int i = 0; i < MESSAGES; i++) {
      messages
          .addObject()
          .put("role", "user")
          .putArray("parts")
          .addObject()
          .put("type", "text")
          .put("text", number + " " + i + " " + "x".repeat(TEXT))
          .put("visibility", "public");
    }
    assertThat(client.post("/v1/sessions", session).status()).isEqualTo(201);
  }

  private static int sessions(ProtocolClient client) {
    return client.get("/v1/sessions?limit=200").json().get("data").size();
  }

  /** Returns what a tenant's sessions and tasks read as, byte for byte. */
  private static List<String> read(ProtocolClient client) {
    List<String> all = new ArrayList<>();
    String sessions = client.get("/v1/sessions?limit=200").text();
    all.add(sessions);
    for (JsonNode session : Json.parse(sessions).get("data")) {
      String path = "/v1/sessions/" + session.get("id").textValue();
      all.add(client.get(path + "/events?limit=200").text());
      all.add(client.get(path + "/messages?limit=200").text());
      all.add(client.get(path + "/tasks?limit=200").text());
    }
    return all;
  }

  /** Returns the events of the tenant's whole log. */
  private static List<String> log(ProtocolClient client) {
    List<String> all = new ArrayList<>();
    String path = "/v1/events?limit=200";
    JsonNode page = client.get(path).json();
    page.get("data").forEach(event -> all.add(event.toString()));
    while (page.at("/page/has_more").booleanValue()) {
      page =
          client.get(path + "&after_event_id=" + page.at("/page/next_cursor").textValue()).json();
      page.get("data").forEach(event -> all.add(event.toString()));
    }
    return all;
  }
}
