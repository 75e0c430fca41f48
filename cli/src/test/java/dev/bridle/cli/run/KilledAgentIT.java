package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.storage.SoundStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agent's process is killed at random moments around the approval of its action. {@code
 * -Dbridle.crash.seed=N} runs one again, {@code -Dbridle.run.kills=N} says how often.
 */
@Tag("slow")
final class KilledAgentIT {
  private static final int KILLS = Integer.getInteger("bridle.run.kills", 25);
  private static final int LONGEST_MILLIS = 400;

  @TempDir private Path directory;

  @AfterEach
  void stop() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  @Test
  void afterManyKillsOfTheAgentItsTasksEndAndTheRecordIsTrue() throws Exception {
    long seed = Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff);
    System.out.println("Kills of the agent with -Dbridle.crash.seed=" + seed);
    Random random = new Random(seed);
    Path folder = Files.createDirectory(directory.resolve("project")).toRealPath();
    Path data = directory.resolve("data");
    Path program = AgentProgram.make(directory, "agent");
    List<String> tasks = new ArrayList<>();
    try (HostedFolder hosted = new HostedFolder(folder, data, program)) {
      String session = hosted.session();
      KillChecks checks = new KillChecks(hosted.client(), folder);
      for (int moment = 0; moment < KILLS; moment++) {
        String task = hosted.submit(session, "work it-" + moment);
        tasks.add(task);
        hosted.awaitStatus(task, "AUTH_REQUIRED");
        if (random.nextInt(3) > 0) {
          hosted.approve(task);
        }
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_MILLIS)).toNanos());
        List<ProcessHandle> tree = hosted.agentProcesses();
        killOne(tree, program, random);
        KillChecks.gone(tree);
        hosted.approveToTheEnd(task);
        checks.ended(task);
      }
      for (String task : tasks) {
        checks.ended(task);
      }
    }
    assertThat(AgentProgram.left(program)).isEmpty();
    SoundStorage.check(data);
  }

  /** Kills the agent, or one of those that hold it; what its command runs goes with it. */
  private static void killOne(List<ProcessHandle> tree, Path program, Random random) {
    List<ProcessHandle> agent =
        tree.stream()
            .filter(
                process ->
                    process
                        .info()
                        .commandLine()
                        .filter(
                            line ->
                                line.contains(program.toString())
                                    || line.contains(ScriptedAgent.class.getName()))
                        .isPresent())
            .toList();
    assertThat(agent).as("processes of the agent").isNotEmpty();
    agent.get(random.nextInt(agent.size())).destroyForcibly();
  }
}
