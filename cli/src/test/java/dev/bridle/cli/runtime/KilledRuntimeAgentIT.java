package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.run.KillChecks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agents of a server's runtime are killed at random moments around the approval of an action.
 * {@code -Dbridle.crash.seed=N} runs one again, {@code -Dbridle.run.kills=N} says how often.
 */
@Tag("slow")
final class KilledRuntimeAgentIT {
  private static final int KILLS = Integer.getInteger("bridle.run.kills", 12);
  private static final int LONGEST_MILLIS = 400;
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
  void afterManyKillsOfTheAgentItsTasksEndAndTheRecordIsTrue() throws Exception {
    long seed = Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff);
    System.out.println("Kills of a runtime's agent with -Dbridle.crash.seed=" + seed);
    Random random = new Random(seed);
    server.write(server.runtime("session"));
    server.start();
    String session = server.session();
    KillChecks checks = new KillChecks(server.client(), server.folder());
    List<String> tasks = new ArrayList<>();
    for (int kill = 0; kill < KILLS; kill++) {
      String task = server.submit(session, "work it-" + kill);
      tasks.add(task);
      server.awaitStatus(task, "AUTH_REQUIRED");
      if (random.nextInt(3) > 0) {
        server.answerIfOpen(task);
      }
      LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_MILLIS)).toNanos());
      server.killAgents();
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () -> {
                server.answerIfOpen(task);
                return ENDED.contains(server.status(task));
              });
      checks.ended(task);
    }
    for (String task : tasks) {
      checks.ended(task);
    }
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }
}
