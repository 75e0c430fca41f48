package dev.bridle.storage.kit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.fdb.FdbOptions;
import dev.bridle.storage.fdb.FdbStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many threads count while a process of the cluster is killed and started again, by the shell
 * command in the system property {@value #RESTART}. Each increment checks its own marker, so none
 * may be lost or counted twice.
 */
@Tag("slow")
class ClusterRestartIT {
  private static final String RESTART = "bridle.fdb.restart-command";
  private static final Logger log = LoggerFactory.getLogger(ClusterRestartIT.class);
  private static final byte[] COUNT = "count".getBytes(UTF_8);
  private static final int THREADS = 32;
  private static final int BEFORE = 2_000;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger attempts = new AtomicInteger();
  private final AtomicInteger appliedUnseen = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicLong slowestMillis = new AtomicLong();

  @Test
  void noAcknowledgedIncrementIsLostOrDoubledWhenAServerIsKilled() throws Exception {
    FdbOptions options = SuiteStore.needCluster("restart");
    String restart = System.getProperty(RESTART, "");
    if (restart.isEmpty()) {
      String reason = "skipped: -D" + RESTART + "=COMMAND names no command";
      log.warn(reason);
      Assumptions.abort(reason);
    }
    try (KeyValueStore store = FdbStore.open(options)) {
      AtomicBoolean over = new AtomicBoolean();
      Workers.run(
          THREADS + 1,
          PATIENCE,
          thread -> {
            if (thread == THREADS) {
              try {
                restartInTheMiddle(restart);
              } finally {
                over.set(true);
              }
              return 0;
            }
            int number = 0;
            while (!over.get()) {
              countOnce(store, (thread + "/" + number++).getBytes(UTF_8));
            }
            return number;
          });
      long count = store.read(tr -> tr.get(COUNT).map(ClusterRestartIT::number)).orElse(0L);
      log.info(
          "{} acknowledged, {} attempts, {} of them found themselves applied already, {} commands"
              + " tried again after their time, slowest {} ms",
          acknowledged,
          attempts,
          appliedUnseen,
          failed,
          slowestMillis);
      assertThat(count).isEqualTo(acknowledged.get());
    }
  }

  private void restartInTheMiddle(String command) throws Exception {
    await().atMost(Duration.ofSeconds(60)).until(() -> acknowledged.get() > BEFORE);
    assertThat(new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor()).isZero();
    int then = acknowledged.get();
    await().atMost(Duration.ofSeconds(60)).until(() -> acknowledged.get() > then + BEFORE);
  }

  private void countOnce(KeyValueStore store, byte[] marker) {
    long began = System.nanoTime();
    for (boolean done = false; !done; ) {
      try {
        store.transact(tr -> count(tr, marker));
        done = true;
      } catch (StoreException e) {
        assertThat(e.outcomeUnknown()).as(e.getMessage()).isTrue();
        failed.incrementAndGet();
      }
    }
    acknowledged.incrementAndGet();
    long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
    slowestMillis.accumulateAndGet(millis, Math::max);
  }

  private boolean count(Transaction tr, byte[] marker) {
    attempts.incrementAndGet();
    if (tr.get(marker).isPresent()) {
      appliedUnseen.incrementAndGet();
      return false;
    }
    tr.set(marker, marker);
    tr.add(COUNT, 1);
    return true;
  }

  private static long number(byte[] value) {
    return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
