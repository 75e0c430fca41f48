package dev.bridle.cli.run;

import dev.bridle.cli.storage.SoundStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Tasks of an agent, in each of which something is killed at a random moment around the approval of
 * its action; they end all the same, and their records are true.
 */
final class KillLoop {
  private static final int LONGEST_MILLIS = 400;

  private KillLoop() {}

  /** What is killed. */
  interface Victim {
    /** Kills it, and returns the processes that must end by that. */
    List<ProcessHandle> kill(HostedFolder hosted, Path program, Random random) throws Exception;
  }

  /** Runs the tasks in a directory; returns the agent's program. */
  static Path run(Path directory, String name, int moments, Victim victim) throws Exception {
    long seed = Long.getLong("bridle.crash.seed", System.nanoTime() & 0xffffff);
    System.out.println("Kills of " + name + " with -Dbridle.crash.seed=" + seed);
    Random random = new Random(seed);
    Path folder = Files.createDirectory(directory.resolve("project")).toRealPath();
    Path data = directory.resolve("data");
    Path program = AgentProgram.make(directory, "agent");
    List<String> tasks = new ArrayList<>();
    try (HostedFolder hosted = new HostedFolder(folder, data, program)) {
      String session = hosted.session();
      KillChecks checks = new KillChecks(hosted.client(), folder);
      for (int moment = 0; moment < moments; moment++) {
        String task = hosted.submit(session, "work it-" + moment);
        tasks.add(task);
        hosted.awaitStatus(task, "AUTH_REQUIRED");
        if (random.nextInt(3) > 0) {
          hosted.approve(task);
        }
        LockSupport.parkNanos(Duration.ofMillis(random.nextInt(LONGEST_MILLIS)).toNanos());
        KillChecks.gone(victim.kill(hosted, program, random));
        hosted.approveToTheEnd(task);
        checks.ended(task);
      }
      for (String task : tasks) {
        checks.ended(task);
      }
    }
    SoundStorage.check(data);
    return program;
  }
}
