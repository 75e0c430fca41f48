package dev.bridle.storage;

import java.time.Duration;

/**
 * How a transaction is run.
 *
 * @param timeout how long the command may take, retries included
 * @param maxAttempts how often the work may be run at most
 */
public record TransactionOptions(Duration timeout, int maxAttempts) {
  /** Ten seconds, which outlives the 3 to 5 s without commits of a cluster that lost a process. */
  public static final TransactionOptions DEFAULT =
      new TransactionOptions(Duration.ofSeconds(10), 100);
}
