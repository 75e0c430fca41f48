package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.storage.SoundStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process of {@code bridle run} is killed at random moments around the approval of an action.
 * The server lives on, and each start goes on with what the kill before has left. {@code
 * -Dbridle.crash.seed=N} runs one again, {@code -Dbridle.run.kills=N} says how often.
 */
final class KilledRunIT {
  private static final int KILLS = Integer.getInteger("bridle.run.kills", 12);
  private static final int LONGEST_MILLIS = 400;
  private static final String PROMPT = "details > ";

  @TempDir private Path directory;
  private Path folder;
  private Path data;
  private Path agent;

  @BeforeEach
  void make() throws IOException {
    String missing = AtTerminal.missing();
    if (!missing.isEmpty()) {
      System.out.println("Skipped: " + missing);
    }
    assumeTrue(missing.isEmpty(), missing);
    folder = Files.createDirectory(directory.resolve("project")).toRealPath();
    data = directory.resolve("data");
    agent = AgentProgram.make(directory, "agent");
  }

  @AfterEach
  void stop() throws IOException {
    ScriptedProject.stopServer(data);
  }

  @Test
  @Tag("slow")
  void afterManyKillsOfTheRunTheNextOneGoesOnAndTheRecordIsTrue() throws Exception {
    kill(KILLS);
  }

  private void kill(int moments) throws Exception {
    long seed = Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff);
    System.out.println("Kills of the run with -Dbridle.crash.seed=" + seed);
    Random random = new Random(seed);
    for (int moment = 0; moment < moments; moment++) {
      String name = String.format(Locale.ROOT, "it-%02d", moment);
      try (AtTerminal terminal = atTerminal("work " + name)) {
        while (!terminal.until(PROMPT).contains("command: touch " + name)) {
          terminal.type("y\n"); // Of the task before, which goes on.
        }
        if (random.nextInt(3) > 0) {
          terminal.type("y\n");
        }
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_MILLIS)).toNanos());
        ProcessHandle server = ServerFile.read(data).flatMap(ServerFile::process).orElseThrow();
        List<ProcessHandle> tree = new ArrayList<>(terminal.processes());
        tree.remove(server);
        terminal.kill();
        KillChecks.gone(tree);
        assertThat(server.isAlive()).as("the server").isTrue();
      }
      await("the end of every agent")
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(() -> assertThat(AgentProgram.left(agent)).isEmpty());
      SoundStorage.check(data);
    }
    check();
  }

  /** Lets the last task go on to its end, and looks at all. */
  private void check() throws Exception {
    try (HostedFolder hosted = new HostedFolder(folder, data, agent)) {
      KillChecks checks = new KillChecks(hosted.client(), folder);
      List<JsonNode> tasks = new ArrayList<>();
      hosted
          .client()
          .rows("/v1/sessions/" + hosted.session() + "/tasks", Integer.MAX_VALUE, tasks::add);
      for (JsonNode task : tasks) {
        hosted.approveToTheEnd(task.path("id").asText());
        checks.ended(task.path("id").asText());
      }
    }
    SoundStorage.check(data);
  }

  private AtTerminal atTerminal(String prompt) throws IOException {
    return AtTerminal.start(
        BuiltBridle.java()
            .bridle(
                List.of(
                    "run",
                    "--dir",
                    folder.toString(),
                    "--data-dir",
                    data.toString(),
                    "--prompt",
                    prompt,
                    "--",
                    agent.toString())));
  }
}
