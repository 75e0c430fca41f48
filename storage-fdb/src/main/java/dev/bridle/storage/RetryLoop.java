package dev.bridle.storage;

import dev.bridle.storage.StoreException.Code;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Runs work in transactions until one commits: the one place that decides what is tried again, for
 * every engine.
 */
public final class RetryLoop {
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);

  private final Function<TransactionOptions, Transaction> begin;
  private final long firstPauseNanos;
  private final long longestPauseNanos;

  /**
   * @param begin starts one transaction
   * @param firstPause the longest pause after the first failure; each further failure doubles it
   * @param longestPause where the doubling ends
   */
  public RetryLoop(
      Function<TransactionOptions, Transaction> begin, Duration firstPause, Duration longestPause) {
    this.begin = begin;
    this.firstPauseNanos = firstPause.toNanos();
    this.longestPauseNanos = longestPause.toNanos();
  }

  /** Pauses of up to 1 ms at first and 100 ms at most. */
  public static RetryLoop standard(Function<TransactionOptions, Transaction> begin) {
    return new RetryLoop(begin, Duration.ofMillis(1), Duration.ofMillis(100));
  }

  /** Returns a timeout in nanoseconds, however long it is. */
  public static long nanos(Duration timeout) {
    return timeout.compareTo(LONGEST_TIMEOUT) > 0 ? LONGEST_TIMEOUT.toNanos() : timeout.toNanos();
  }

  /**
   * Runs {@code work} as {@link KeyValueStore#transact(TransactionOptions, Function)} promises.
   *
   * @throws StoreException {@code TIMED_OUT} when the time is used up, {@code CANCELLED} when the
   *     thread is interrupted between two attempts, else the last failure
   */
  public <T> T run(TransactionOptions options, Function<Transaction, T> work) {
    long deadline = System.nanoTime() + nanos(options.timeout());
    for (int attempt = 1; ; attempt++) {
      long left = deadline - System.nanoTime();
      TransactionOptions rest =
          new TransactionOptions(Duration.ofNanos(Math.max(left, 0)), options.maxAttempts());
      try (Transaction transaction = begin.apply(rest)) {
        T result = work.apply(transaction);
        transaction.commit();
        return result;
      } catch (StoreException e) {
        if (!e.retriable() || attempt >= options.maxAttempts()) {
          throw e;
        }
        pause(attempt, deadline, e);
      }
    }
  }

  private void pause(int attempt, long deadline, StoreException last) {
    int doublings = Math.min(attempt - 1, 30);
    long longest = Math.min(firstPauseNanos << doublings, longestPauseNanos);
    long pause = ThreadLocalRandom.current().nextLong(longest + 1);
    if (System.nanoTime() + pause - deadline >= 0) {
      throw new StoreException(
          Code.TIMED_OUT, "The transaction was still failing when its time was used up.", last);
    }
    try {
      TimeUnit.NANOSECONDS.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(
          Code.CANCELLED, "The thread was interrupted while it waited for another attempt.", e);
    }
  }
}
