package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.kit.fault.Fault;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.Operation;
import dev.bridle.storage.kit.fault.OperationKind;
import io.grpc.Channel;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One busy session on one server, and on several over one store that is as far as a cluster. */
final class BusySessionTest {
  private static final int TASKS = 192;
  private static final TaskOptions PATIENT =
      TaskOptions.DEFAULT.withLease(Duration.ofMinutes(2), Duration.ofSeconds(20));

  @TempDir Path directory;

  /** A store that is some way off, and counts what is asked of it. */
  private static final class Distance implements FaultPlan {
    private final AtomicInteger commits = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();

    @Override
    public Fault at(Operation operation) {
      if (operation.writes()) {
        commits.incrementAndGet();
        pause();
      }
      boolean reads = operation.kind() == OperationKind.GET;
      if (reads) {
        this.reads.incrementAndGet();
      }
      return reads ? Fault.SLOW : Fault.NONE;
    }

    @Override
    public Duration delay(Operation operation) {
      return Duration.ofMillis(2);
    }

    private static void pause() {
      try {
        TimeUnit.MILLISECONDS.sleep(20); // The distance is what is tested: nothing is waited for.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void isNoMoreWorkForThreeServersThanForOne() throws Exception {
    Distance ofOne = ended("one", 1);
    Distance ofThree = ended("three", 3);

    // Work that is done again after a conflict is what makes a session slower with each server.
    // Without turns, three servers read 1.66 times as much as one; with them, 1.12 to 1.28 times
    // were seen.
    assertThat(ofThree.commits.get()).isLessThan(ofOne.commits.get() * 5 / 4);
    assertThat(ofThree.reads.get()).isLessThan(ofOne.reads.get() * 3 / 2);
  }

  private Distance ended(String name, int servers) throws Exception {
    Distance distance = new Distance();
    List<CoreOver> cores = new ArrayList<>();
    try (KeyValueStore store = SuiteStore.open(directory.resolve(name))) {
      for (int i = 0; i < servers; i++) {
        cores.add(CoreOver.start(new FaultyStore(store, distance), Clock.systemUTC(), PATIENT));
      }
      List<Channel> channels = cores.stream().map(core -> core.of("default")).toList();
      String session = BusySession.endAll(channels, TASKS);
      assertThat(session).isNotEmpty();
      cores.forEach(CoreOver::close);
      StoredData.assertSound(store);
      return distance;
    }
  }
}
