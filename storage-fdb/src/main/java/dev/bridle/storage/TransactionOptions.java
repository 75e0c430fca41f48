package dev.bridle.storage;

import java.time.Duration;

/**
 * Options of a transaction.
 *
 * @param timeout how long all attempts together may take
 * @param maxAttempts the maximum number of attempts
 */
public record TransactionOptions(Duration timeout, int maxAttempts) {
  /**
   * The default: ten seconds, longer than the 3 to 5 s in which a cluster that lost a process can't
   * commit.
   */
  public static final TransactionOptions DEFAULT =
      new TransactionOptions(Duration.ofSeconds(10), 100);
}
