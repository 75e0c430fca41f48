package dev.bridle.storage.embedded;

import dev.bridle.storage.StoreLimits;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;

/**
 * Records the writes of each version of the last five seconds, to determine whether a transaction's
 * reads still hold. When it exceeds its size it drops the oldest versions, and transactions that
 * read at them are too old. Used by the committer only.
 */
final class ConflictWindow {
  private final ArrayDeque<WrittenKeys> batches = new ArrayDeque<>();
  private final long maxBytes;
  private long bytes;
  private long oldestVersion;

  /**
   * @param maxBytes the maximum size of the recorded keys, in bytes
   * @param version the version at opening; earlier writes are unknown
   */
  ConflictWindow(long maxBytes, long version) {
    this.maxBytes = maxBytes;
    this.oldestVersion = version;
  }

  /** Adds what a batch wrote. Versions and times grow from call to call. */
  void add(WrittenKeys batch) {
    batches.addLast(batch);
    bytes += batch.bytes();
    while (bytes > maxBytes && !batches.isEmpty()) {
      dropOldest();
    }
  }

  /** Drops versions older than the maximum age of transactions. */
  void dropOlderThan(long nanoTime) {
    long age = StoreLimits.MAX_TRANSACTION_AGE.toNanos();
    while (!batches.isEmpty() && nanoTime - batches.peekFirst().nanoTime() > age) {
      dropOldest();
    }
  }

  /** Returns whether writes since {@code readVersion} have been dropped. */
  boolean isTooOld(long readVersion) {
    return readVersion < oldestVersion;
  }

  /** Returns whether a batch after {@code readVersion} wrote into one of {@code reads}. */
  boolean conflicts(long readVersion, List<Span> reads) {
    Iterator<WrittenKeys> newestFirst = batches.descendingIterator();
    while (newestFirst.hasNext()) {
      WrittenKeys batch = newestFirst.next();
      if (batch.version() <= readVersion) {
        return false;
      }
      for (Span read : reads) {
        if (batch.overlaps(read)) {
          return true;
        }
      }
    }
    return false;
  }

  private void dropOldest() {
    WrittenKeys oldest = batches.removeFirst();
    bytes -= oldest.bytes();
    oldestVersion = oldest.version();
  }
}
