package dev.bridle.storage.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What was acknowledged is still there when the store is opened again. */
public abstract class DurabilityContract extends StoreSuite {

  private static final int WRITERS = 8;

  protected DurabilityContract(StoreHooks hooks) {
    super(hooks);
  }

  @Test
  void everythingCommittedIsThereAfterAReopen() {
    Workers.run(
        8,
        thread -> {
          for (int i = 0; i < 25; i++) {
            stored(thread + "/" + i, "x");
          }
          return thread;
        });
    store()
        .transact(
            tr -> {
              tr.clear(under("3/1"));
              return null;
            });
    int before = all().size();

    reopen();

    assertThat(all()).hasSize(before).contains("7/24=x").doesNotContain("3/1=x");
  }

  @Test
  void versionsAndStampsKeepGrowingOverAReopen() {
    byte[] stamp = stampOfOneCommit();
    long version = version();

    reopen();

    assertThat(version()).isGreaterThanOrEqualTo(version);
    assertThat(Arrays.compareUnsigned(stamp, stampOfOneCommit())).isNegative();
  }

  @Test
  void aClosedStoreTakesNothing() {
    KeyValueStore closed = store();
    Transaction open = begin();
    put(open, "a", "1");

    reopen();

    assertThat(failureOf(() -> closed.begin(TransactionOptions.DEFAULT)))
        .isEqualTo(Code.STORE_CLOSED);
    assertThat(failureOf(open::commit)).isEqualTo(Code.STORE_CLOSED);
    open.close();
    closed.close();
    assertThat(all()).isEmpty();
  }

  @Test
  void closingUnderManyWritersLosesNothingThatWasAcknowledged() {
    KeyValueStore closing = store();
    CountDownLatch running = new CountDownLatch(WRITERS);
    List<Integer> acknowledged =
        Workers.run(
            WRITERS + 1,
            thread -> {
              if (thread == WRITERS) {
                running.await();
                reopen();
                return 0;
              }
              return writeUntilClosed(closing, "writer" + thread, running);
            });
    for (int thread = 0; thread < WRITERS; thread++) {
      int stored = Integer.parseInt(now("writer" + thread).orElseThrow());
      assertThat(stored).isBetween(acknowledged.get(thread), acknowledged.get(thread) + 1);
    }
  }

  /** Returns the last number whose commit was acknowledged. */
  private int writeUntilClosed(KeyValueStore closing, String name, CountDownLatch running) {
    int acknowledged = 0;
    try {
      while (true) {
        String next = "" + (acknowledged + 1);
        closing.transact(
            tr -> {
              var unused = get(tr, name);
              put(tr, name, next);
              return next;
            });
        if (acknowledged++ == 0) {
          running.countDown(); // Closing begins once each of them has written.
        }
      }
    } catch (StoreException e) {
      assertThat(e.code()).isIn(Code.STORE_CLOSED, Code.CANCELLED);
      return acknowledged;
    }
  }

  private byte[] stampOfOneCommit() {
    try (Transaction tr = begin()) {
      put(tr, "a", "1");
      CompletableFuture<byte[]> stamp = tr.versionstamp();
      tr.commit();
      return stamp.join();
    }
  }
}
