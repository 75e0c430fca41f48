package dev.bridle.storage;

import dev.bridle.storage.StoreException.Code;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Runs work in transactions until one commits: the one place that decides what is retried, for
 * every engine. An engine may supply its own backoff and next transaction.
 */
public final class RetryLoop {
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);

  private final Function<TransactionOptions, Transaction> begin;
  private final NextAttempt next;
  private final Outage outage = new Outage(Clock.systemUTC(), System::nanoTime);

  /** Begins the next attempt after a failed one. */
  public interface NextAttempt {

    /**
     * Waits for the backoff and returns the transaction of the next attempt.
     *
     * @param failed the failed attempt, which this or the loop closes
     * @param failure why it failed; retriable
     * @param attempt the number of the failed attempt, from 1
     * @param left the remaining time of all attempts
     * @throws StoreException if there is no next attempt: the time is used up, the thread was
     *     interrupted, or the engine gives up
     */
    Transaction after(
        Transaction failed, StoreException failure, int attempt, TransactionOptions left);
  }

  /**
   * @param begin starts the transaction of the first attempt
   * @param next begins each further one
   */
  public RetryLoop(Function<TransactionOptions, Transaction> begin, NextAttempt next) {
    this.begin = begin;
    this.next = next;
  }

  /**
   * Begins each attempt in a new transaction after a random pause.
   *
   * @param begin starts one transaction
   * @param firstPause the longest pause after the first failure; each further failure doubles it
   * @param longestPause the upper limit of the doubling
   */
  public RetryLoop(
      Function<TransactionOptions, Transaction> begin, Duration firstPause, Duration longestPause) {
    this(begin, new Pauses(begin, firstPause.toNanos(), longestPause.toNanos()));
  }

  /** Pauses of up to 1 ms at first and 100 ms at most. */
  public static RetryLoop standard(Function<TransactionOptions, Transaction> begin) {
    return new RetryLoop(begin, Duration.ofMillis(1), Duration.ofMillis(100));
  }

  /** Returns a timeout in nanoseconds, capped at a year. */
  public static long nanos(Duration timeout) {
    return timeout.compareTo(LONGEST_TIMEOUT) > 0 ? LONGEST_TIMEOUT.toNanos() : timeout.toNanos();
  }

  /**
   * Runs {@code work} as specified by {@link KeyValueStore#transact(TransactionOptions, Function)}.
   *
   * @throws StoreException {@code TIMED_OUT} when the time is used up, {@code CANCELLED} when the
   *     thread is interrupted between two attempts, else the last failure; {@code COMMIT_UNKNOWN}
   *     if that one wrote nothing, but an earlier attempt may have
   */
  public <T> T run(TransactionOptions options, Function<Transaction, T> work) {
    long began = System.nanoTime();
    try {
      T result = run(options, work, began + nanos(options.timeout()));
      outage.answered();
      return result;
    } catch (StoreException e) {
      outage.failed(e, began);
      throw e;
    }
  }

  private <T> T run(TransactionOptions options, Function<Transaction, T> work, long deadline) {
    Transaction transaction = begin.apply(options);
    boolean unknown = false;
    try {
      for (int attempt = 1; ; attempt++) {
        StoreException failure;
        try {
          T result = work.apply(transaction);
          transaction.commit();
          return result;
        } catch (StoreException e) {
          failure = e;
        } catch (CompletionException e) {
          failure = ofAsyncRead(e);
        }
        if (!failure.retriable() || attempt >= options.maxAttempts()) {
          throw verdict(failure, unknown);
        }
        unknown |= failure.outcomeUnknown();
        Duration left = Duration.ofNanos(Math.max(deadline - System.nanoTime(), 0));
        try (Transaction failed = transaction) {
          transaction =
              next.after(
                  failed, failure, attempt, new TransactionOptions(left, options.maxAttempts()));
        } catch (StoreException e) {
          throw verdict(e, unknown);
        }
      }
    } finally {
      transaction.close();
    }
  }

  /**
   * Returns the failure of all attempts.
   *
   * @param last how the last one failed
   * @param unknown whether an earlier one may have been applied
   */
  public static StoreException verdict(StoreException last, boolean unknown) {
    return unknown && !last.outcomeUnknown()
        ? new StoreException(
            Code.COMMIT_UNKNOWN,
            "An earlier attempt may have been applied; the last one failed: " + last.getMessage(),
            last)
        : last;
  }

  /** Returns the failure of a read that work has waited for with {@code join}. */
  private static StoreException ofAsyncRead(CompletionException failure) {
    if (failure.getCause() instanceof StoreException cause) {
      return cause;
    }
    throw failure;
  }

  private record Pauses(
      Function<TransactionOptions, Transaction> begin, long firstNanos, long longestNanos)
      implements NextAttempt {

    @Override
    public Transaction after(
        Transaction failed, StoreException failure, int attempt, TransactionOptions left) {
      int doublings = Math.min(attempt - 1, 30);
      long longest = Math.min(firstNanos << doublings, longestNanos);
      long pause = ThreadLocalRandom.current().nextLong(longest + 1);
      if (pause >= left.timeout().toNanos()) {
        throw new StoreException(
            Code.TIMED_OUT,
            "The transaction was still failing when its time was used up.",
            failure);
      }
      try {
        TimeUnit.NANOSECONDS.sleep(pause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException(
            Code.CANCELLED, "The thread was interrupted while it waited for another attempt.", e);
      }
      failed.close();
      return begin.apply(left);
    }
  }
}
