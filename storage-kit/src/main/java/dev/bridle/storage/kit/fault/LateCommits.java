package dev.bridle.storage.kit.fault;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Commits that were reported as failed and are still in flight. Each lands or conflicts once it is
 * due, and before it is so old that every store would refuse it.
 */
final class LateCommits {
  private static final long OLDEST_NANOS = Duration.ofSeconds(4).toNanos();

  private final List<Late> waiting = new ArrayList<>();
  private long landed;
  private long refused;

  private record Late(Transaction transaction, long due, long sinceNanos) {
    boolean old() {
      return System.nanoTime() - sinceNanos > OLDEST_NANOS;
    }
  }

  /** Takes a transaction over; {@code due}: the number of the operation that it lands before. */
  synchronized void add(Transaction transaction, long due) {
    waiting.add(new Late(transaction, due, System.nanoTime()));
  }

  void before(long operation) {
    land(late -> late.due() <= operation || late.old());
  }

  void afterCommit() {
    land(late -> late.due() == Long.MAX_VALUE);
  }

  void settle() {
    land(late -> true);
  }

  synchronized long landed() {
    return landed;
  }

  synchronized long refused() {
    return refused;
  }

  private void land(Predicate<Late> due) {
    List<Late> landing;
    synchronized (this) {
      if (waiting.isEmpty()) {
        return;
      }
      landing = waiting.stream().filter(due).toList();
      waiting.removeAll(landing);
    }
    for (Late late : landing) {
      boolean applied = commit(late.transaction());
      synchronized (this) {
        landed += applied ? 1 : 0;
        refused += applied ? 0 : 1;
      }
    }
  }

  private static boolean commit(Transaction transaction) {
    try (transaction) {
      transaction.commit();
      return true;
    } catch (StoreException e) {
      return false;
    }
  }
}
