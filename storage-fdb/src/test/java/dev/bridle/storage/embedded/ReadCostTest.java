package dev.bridle.storage.embedded;

import static dev.bridle.storage.embedded.TestStore.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Nearly every request reads in a transaction that writes nothing. One that makes an exception on
 * its way pays for a stack trace, which grows with the stack: a call of the core comes through some
 * eighty frames.
 */
class ReadCostTest {
  private static final int FRAMES = 1_000;

  /** Less than what the trace of so many frames takes, and more than noise. */
  private static final long TOLERANCE = 4_096;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final InMemoryStore store = InMemoryStore.open();

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aCommittedReadTakesNoMoreMemoryOnADeepStack() {
    Runnable read = () -> store.read(tr -> tr.get(bytes("key")));

    assertThat(allocated(read, FRAMES)).isLessThan(allocated(read, 1) + TOLERANCE);
  }

  @Test
  void aReadThatIsClosedWithoutACommitTakesNoMoreMemoryOnADeepStack() {
    Runnable read =
        () -> {
          try (Transaction tr = store.begin(TransactionOptions.DEFAULT)) {
            tr.get(bytes("key"));
          }
        };

    assertThat(allocated(read, FRAMES)).isLessThan(allocated(read, 1) + TOLERANCE);
  }

  /** Returns the bytes that the third run takes: the first ones load and link classes. */
  private static long allocated(Runnable read, int frames) {
    if (frames > 1) {
      return allocated(read, frames - 1);
    }
    read.run();
    read.run();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    read.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
