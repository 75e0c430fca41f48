package dev.bridle.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.storage.SoundStorage;
import dev.bridle.cli.up.SuiteEngine;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The server ends, killed or stopped, while replays are under way or queued, every other one with
 * the task's handler, and some of the task's whole session. The seed is in the test's name; {@code
 * -Dbridle.crash.seed=N} runs one again, {@code -Dbridle.crash.kills=N} says how often it ends.
 */
@Tag("slow")
final class KilledReplayIT {
  private static final int KILLS = Integer.getInteger("bridle.crash.kills", 12);
  private static final int REPLAYS = 20;
  private static final int OF_SESSION = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String DATA = "data";
  private static final Set<String> ENDS = Set.of("task.completed", "task.failed", "task.canceled");
  private static final Set<String> ONCE =
      Set.of("replay.started", "replay.completed", "artifact.created");

  @TempDir private Path directory;

  static LongStream seeds() {
    return LongStream.of(Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void replaysAreEndedOnceHoweverOftenTheServerEnds(long seed) throws IOException {
    Random random = new Random(seed);
    Commands commands = new Commands(directory);
    ServerProcess server = commands.startProcess(DATA, SuiteEngine.engine(directory.resolve(DATA)));
    try {
      String source = commands.completedTask(server.url(), DATA);
      String session =
          commands
              .client(server, DATA)
              .get("/v1/tasks/" + source)
              .json()
              .get("session_id")
              .textValue();
      Set<String> hashes = new HashSet<>();
      Set<String> checked = new HashSet<>();
      for (int i = 0; i < KILLS; i++) {
        Set<String> accepted =
            submit(commands.client(server, DATA), source, session, 1 + random.nextInt(REPLAYS));
        if (i % 2 == 0) {
          server.kill();
        } else {
          assertThat(server.stop()).isZero();
        }
        SoundStorage.check(directory.resolve(DATA));
        server = commands.startProcess(DATA, SuiteEngine.engine(directory.resolve(DATA)));
        ProtocolClient client = commands.client(server, DATA);
        Set<String> replays = replays(client, source);
        assertThat(replays).as("replays of round %s", i).containsAll(accepted);
        replays.removeAll(checked);
        replays.forEach(replay -> hashes.add(checkedHash(client, replay)));
        checked.addAll(replays);
      }
      assertThat(hashes)
          .as("segments by depth")
          .allMatch(found -> found.matches("(log|execute) sha256:[0-9a-f]{64}"))
          .extracting(found -> found.split(" ", 2)[0])
          .doesNotHaveDuplicates();
    } finally {
      server.close();
    }
    SoundStorage.check(directory.resolve(DATA));
  }

  /**
   * Submits replays all at once, and returns those that were accepted as soon as there are enough:
   * most of the others are then queued, under way, or not even accepted.
   */
  private static Set<String> submit(
      ProtocolClient client, String source, String session, int enough) {
    Set<String> accepted = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < REPLAYS; i++) {
      var unused =
          client
              .sendAsync(
                  i % OF_SESSION == 0
                      ? client.call("POST", "/v1/sessions/" + session + "/replay")
                      : client
                          .call("POST", "/v1/tasks/" + source + "/replay")
                          .withBody(Json.object().put("depth", i % 2 == 0 ? "log" : "execute")))
              .thenAccept(
                  answer -> {
                    if (answer.status() == 202) {
                      accepted.add(answer.json().get("id").textValue());
                    }
                  });
    }
    await("accepted replays")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> accepted.size() >= enough);
    return accepted;
  }

  /** Returns the newest replays of a task, also those whose acceptance nobody has heard of. */
  private static Set<String> replays(ProtocolClient client, String source) {
    Set<String> replays = new HashSet<>();
    for (JsonNode task : client.get("/v1/tasks?limit=200").json().get("data")) {
      if (task.at("/replay/source_task_id").asText().equals(source)) {
        replays.add(task.get("id").textValue());
      }
    }
    return replays;
  }

  /** Checks that a replay ends, once, and returns its depth and the hash of its segment. */
  private static String checkedHash(ProtocolClient client, String replay) {
    await("the end of " + replay)
        .atMost(PATIENCE)
        .until(() -> Set.of("COMPLETED", "FAILED", "CANCELED").contains(status(client, replay)));
    assertThat(status(client, replay)).isEqualTo("COMPLETED");
    JsonNode events = client.get("/v1/tasks/" + replay + "/events?limit=200").json().get("data");
    List<String> kinds = kinds(events);
    assertThat(kinds).filteredOn(ENDS::contains).containsExactly("task.completed");
    assertThat(kinds).filteredOn(ONCE::contains).hasSameSizeAs(ONCE).containsAll(ONCE);
    return events.get(kinds.indexOf("replay.started")).at("/payload/depth").asText()
        + " "
        + events
            .get(kinds.indexOf("replay.completed"))
            .at("/payload/segment_receipt_hash")
            .asText();
  }

  private static List<String> kinds(JsonNode events) {
    List<String> kinds = new ArrayList<>();
    events.forEach(event -> kinds.add(event.get("event").textValue()));
    return kinds;
  }

  private static String status(ProtocolClient client, String task) {
    return client.get("/v1/tasks/" + task).json().get("status").textValue();
  }
}
