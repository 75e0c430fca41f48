package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.run.AgentProgram;
import dev.bridle.cli.run.KillChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server with twenty agents at work is killed at random moments around their approvals. {@code
 * -Dbridle.crash.seed=N} runs one again, {@code -Dbridle.run.kills=N} says how often.
 */
@Tag("slow")
final class KilledRuntimesIT {
  private static final int AGENTS = 20;
  private static final int KILLS = Integer.getInteger("bridle.run.kills", 3);
  private static final int LONGEST_MILLIS = 1500;
  private static final Set<String> ENDED = Set.of("COMPLETED", "FAILED", "CANCELED");

  @TempDir private Path directory;
  private RuntimeServer server;

  @BeforeEach
  void make() throws IOException {
    server = new RuntimeServer(directory);
  }

  /** Also where a check failed: what it leaves would be taken for another test's. */
  @AfterEach
  void killServer() {
    server.process().kill();
  }

  @Test
  void noAgentIsLeftEachTaskEndsAndNoApprovalCountsTwice() throws Exception {
    long seed = Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff);
    System.out.println("Kills of the server with -Dbridle.crash.seed=" + seed);
    Random random = new Random(seed);
    server.write(server.runtime("session").put("max_processes", AGENTS));
    server.start();
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < AGENTS; i++) {
      tasks.add(server.submit(server.session(), "work it-" + i));
    }
    awaitAgents(server);
    for (int kill = 0; kill < KILLS; kill++) {
      tasks.stream().filter(task -> random.nextInt(3) == 0).forEach(server::answerIfOpen);
      LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_MILLIS)).toNanos());
      if (kill == 0) {
        assertThat(server.agents()).isEqualTo(AGENTS);
      }
      server.process().kill();
      await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(() -> assertThat(server.agentsLeft()).isEmpty());
      server.start();
    }

    await()
        .atMost(Duration.ofMinutes(5))
        .until(
            () -> {
              tasks.forEach(server::answerIfOpen);
              return tasks.stream().allMatch(task -> isOver(server, task));
            });

    KillChecks checks = new KillChecks(server.client(), server.folder());
    for (String task : tasks) {
      checks.ended(task);
    }
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  @Test
  void noCommandOfAnAgentOutlivesTheServer() throws Exception {
    String mark = "loop-" + UUID.randomUUID() + "-";
    server.write(server.runtime("session").put("max_processes", AGENTS));
    Files.createDirectories(server.folder());
    server.start();
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < AGENTS; i++) {
      Files.writeString(
          server.folder().resolve(mark + i),
          "while [ ! -e go ]; do sleep 0.5; done; echo >> done-" + i);
      tasks.add(server.submit(server.session(), "run " + mark + i));
    }
    for (int kill = 0; kill < 2; kill++) {
      awaitAgents(server);
      await("a command of each agent")
          .atMost(Duration.ofMinutes(2))
          .until(() -> working(mark) == AGENTS);
      server.process().kill();
      await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(
              () -> {
                assertThat(AgentProgram.with(mark)).isEmpty();
                assertThat(server.agentsLeft()).isEmpty();
              });
      server.start();
    }
    Files.createFile(server.folder().resolve("go"));

    await()
        .atMost(Duration.ofMinutes(5))
        .until(() -> tasks.stream().allMatch(task -> isOver(server, task)));
    for (int i = 0; i < AGENTS; i++) {
      assertThat(server.status(tasks.get(i))).isEqualTo("COMPLETED");
      assertThat(Files.readAllLines(server.folder().resolve("done-" + i))).hasSize(1);
    }
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  private static void awaitAgents(RuntimeServer server) {
    await("the agents").atMost(Duration.ofMinutes(2)).until(() -> server.agents() == AGENTS);
  }

  /** Returns how many scripts of agents run. */
  private static long working(String mark) {
    return AgentProgram.with(" ./" + mark).stream()
        .filter(line -> !line.contains(" -c "))
        .distinct()
        .count();
  }

  private static boolean isOver(RuntimeServer server, String task) {
    return ENDED.contains(server.status(task));
  }
}
