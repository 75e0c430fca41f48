package dev.bridle.cli.portability;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.demo.JavaCommand;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.OtherJava;
import dev.bridle.cli.up.SuiteEngine;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.storage.kit.SuiteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tasks of one server, replayed on it and on servers of other time zones, languages, JDKs and,
 * where one is given, on a cluster: the log alone, with the demo agent's handler, with another
 * answer of its model, and from an event on.
 */
@Tag("slow")
final class ReplayElsewhereIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String SOURCE = "source";
  private static final int REPLAYS = 10;

  @TempDir private static Path directory;
  private static Commands commands;
  private static String exported;
  private static String keys;
  private static Map<String, String> tasks;
  private static String checkpoint;
  private static Map<String, String> expected;

  @BeforeAll
  static void replayAtHome() throws IOException {
    commands = new Commands(directory);
    exported = commands.path("default.bridle");
    tasks = new TreeMap<>();
    try (ServerProcess server = commands.startProcess(SOURCE)) {
      ProtocolClient client = commands.client(server, SOURCE);
      tasks.put("counted", ended(client, "text", "I i \u0130 \u0131 \u0663 3", "COMPLETED"));
      tasks.put("failed", ended(client, "ask", "", "FAILED"));
      tasks.put("asked", ended(client, "prompt", "two one", "COMPLETED"));
      checkpoint =
          client
              .get("/v1/tasks/" + tasks.get("asked") + "/events")
              .json()
              .at("/data/0/id")
              .textValue();
      expected = replayed(server, SOURCE);
      run(0, "export", "--data-dir", commands.path(SOURCE), "--output", exported);
      keys = commands.publicKeys(SOURCE);
    }
    assertThat(expected).hasSize(8);
    assertThat(expected.values()).doesNotHaveDuplicates();
  }

  @ParameterizedTest(name = "{0} {1}-{2}")
  @CsvSource({"Asia/Kathmandu,tr,TR", "Pacific/Chatham,ar,EG"})
  void anotherTimeZoneAndLanguageMakeTheSameBytes(String zone, String language, String country)
      throws IOException {
    assertThat(replayedBy(OtherJava.with(options(zone, language, country)), language))
        .isEqualTo(expected);
  }

  @Test
  void anotherJdkMakesTheSameBytes() throws IOException {
    Optional<Path> home = OtherJava.home();
    String reason =
        "Skipped: neither a variable JAVA_HOME… nor /usr/lib/jvm has a JDK from 17 on that is not"
            + " of the version of this one.";
    if (home.isEmpty()) {
      System.out.println(reason);
    }
    assumeTrue(home.isPresent(), reason);

    assertThat(replayedBy(OtherJava.on(home.get(), options("America/St_Johns", "th", "TH")), "jdk"))
        .isEqualTo(expected);
  }

  @Test
  void aServerOnAClusterMakesTheSameBytes() throws IOException {
    try (ServerProcess server = onCluster("cluster")) {
      run(0, "import", exported, "--keys", keys, "--data-dir", commands.path("cluster"));

      assertThat(replayed(server, "cluster")).isEqualTo(expected);
    }
  }

  @Test
  void aTaskOfAClusterMakesTheSameBytesOnDisk() throws IOException {
    String file = commands.path("cluster.bridle");
    String task;
    String log;
    String executed;
    String keysOfCluster;
    try (ServerProcess server = onCluster("origin")) {
      task = ended(commands.client(server, "origin"), "prompt", "two one", "COMPLETED");
      log = replay(server, "origin", task);
      executed = replay(server, "origin", task, "--depth", "execute");
      run(0, "export", "--data-dir", commands.path("origin"), "--output", file);
      keysOfCluster = commands.publicKeys("origin");
    }
    try (ServerProcess server = commands.startProcess("disk")) {
      run(0, "import", file, "--keys", keysOfCluster, "--data-dir", commands.path("disk"));

      assertThat(replay(server, "disk", task)).isEqualTo(log);
      assertThat(replay(server, "disk", task, "--depth", "execute")).isEqualTo(executed);
    }
  }

  private static ServerProcess onCluster(String data) {
    SuiteStore.needCluster(data);
    return commands.startProcess(data, SuiteEngine.engine(directory.resolve(data)));
  }

  private static List<String> options(String zone, String language, String country) {
    return List.of(
        "-Duser.timezone=" + zone, "-Duser.language=" + language, "-Duser.country=" + country);
  }

  /** Returns the segments that a server with the same tasks makes. */
  private static Map<String, String> replayedBy(JavaCommand java, String data) throws IOException {
    try (ServerProcess server = commands.startProcess(java, data)) {
      assertThat(ProcessHandle.of(server.pid()).flatMap(process -> process.info().command()))
          .contains(Path.of(java.words().get(0)).toRealPath().toString());
      run(0, "import", exported, "--keys", keys, "--data-dir", commands.path(data));
      return replayed(server, data);
    }
  }

  /** Returns the content of the segments' receipts, by how they were made. */
  private static Map<String, String> replayed(ServerProcess server, String data)
      throws IOException {
    Map<String, String> segments = new TreeMap<>();
    for (Map.Entry<String, String> task : tasks.entrySet()) {
      String of = task.getKey() + " ";
      segments.put(of + "log", replay(server, data, task.getValue()));
      segments.put(of + "execute", replay(server, data, task.getValue(), "--depth", "execute"));
    }
    for (int i = 1; i < REPLAYS; i++) {
      assertThat(replay(server, data, tasks.get("asked"))).isEqualTo(segments.get("asked log"));
    }
    Path answers =
        Files.writeString(
            directory.resolve("answers.json"),
            "{\"llm:demo:1\":{\"value\":\"I \u0131 1.5 \u0663\",\"reason\":\"\u0130\"}}");
    String[] override = {"--override", answers.toString()};
    String asked = tasks.get("asked");
    segments.put("asked overridden", replay(server, data, asked, override));
    segments.put("asked from", replay(server, data, asked, "--from-checkpoint", checkpoint));
    return segments;
  }

  private static String replay(ServerProcess server, String data, String task, String... more)
      throws IOException {
    String segment = commands.path(data + ".segment");
    List<String> words = new ArrayList<>(List.of("replay", task, "--output", segment));
    words.addAll(commands.at(server.url(), data));
    words.addAll(List.of(more));
    run(0, words.toArray(String[]::new));
    return Files.readString(Path.of(segment));
  }

  private static String ended(ProtocolClient client, String member, String input, String end) {
    ObjectNode session = Json.object().put("workspace_id", "default");
    String in = client.post("/v1/sessions", session).json().get("id").textValue();
    ObjectNode body = Json.object();
    body.putObject("input").put(member, input);
    String task = client.post("/v1/sessions/" + in + "/tasks", body).json().get("id").textValue();
    await(end)
        .atMost(PATIENCE)
        .until(() -> client.get("/v1/tasks/" + task).json().get("status").textValue().equals(end));
    return task;
  }
}
