package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.host.process.AgentCommand;
import dev.bridle.host.process.AgentEnvironment;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.ExitReason;
import dev.bridle.host.process.Spawner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process without a bound has of the memory for all. */
final class TakenMemoryIT {
  private static final long MIB = 1L << 20;

  @TempDir private Path folder;

  @Test
  void aProcessWithoutABoundIsCountedWithWhatItHas() throws Exception {
    MemoryBudget budget = new MemoryBudget(1000 * MIB);
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    TakenMemory taken = TakenMemory.take(budget, OptionalLong.empty()).orElseThrow();
    // What comes without a line's end, tail keeps, until the file is there.
    String hog = "(head -c 600000000 /dev/zero; while [ ! -e end ]; do sleep 0.05; done) | tail";
    AgentProcess process =
        AgentLauncher.create(new Spawner(), Optional.empty(), timer)
            .start(
                new AgentCommand(
                    "hog",
                    List.of("sh", "-c", hog + " > /dev/null"),
                    folder.toRealPath(),
                    AgentEnvironment.choose(System.getenv(), Set.of(), Map.of()),
                    OptionalLong.empty()));
    try {
      assertThat(budget.tryTake(700 * MIB)).as("as assumed, before it was looked at").isTrue();
      budget.giveBack(700 * MIB);

      taken.watch(process, timer);
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(left(budget)).isLessThan(500 * MIB));
      Files.createFile(folder.resolve("end"));
      process.exited().join();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(left(budget)).isEqualTo(744 * MIB));

      taken.giveBack();
      taken.giveBack();
      assertThat(left(budget)).isEqualTo(1000 * MIB);
    } finally {
      process.kill(ExitReason.STOPPED, "the test is over").join();
      timer.shutdownNow();
    }
  }

  private static long left(MemoryBudget budget) {
    long mib = 0;
    while (budget.tryTake(MIB)) {
      mib++;
    }
    budget.giveBack(mib * MIB);
    return mib * MIB;
  }
}
