package dev.bridle.core.work.oauth;

import dev.bridle.connection.TokenBucket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How often tokens may be asked for: each client so many a minute, and failures, whoever they come
 * from, so many a second. Bounded in memory. Failures of others never keep a client with the right
 * secret out.
 */
final class TokenRates {
  private static final int CLIENT_BURST = 60;
  private static final double CLIENT_PER_SECOND = 1;
  private static final int FAILURE_BURST = 100;
  private static final double FAILURES_PER_SECOND = 10;
  private static final int MAX_CLIENTS = 10_000;

  private final LongSupplier nanoTime;
  private final TokenBucket failures;
  private final Map<String, TokenBucket> clients =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TokenBucket> eldest) {
          return size() > MAX_CLIENTS;
        }
      };

  TokenRates(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.failures = new TokenBucket(FAILURE_BURST, FAILURES_PER_SECOND, nanoTime);
  }

  /** Counts a token of a client that has proved itself; false where it has had too many. */
  synchronized boolean admit(String clientId) {
    return clients
        .computeIfAbsent(clientId, id -> new TokenBucket(CLIENT_BURST, CLIENT_PER_SECOND, nanoTime))
        .take();
  }

  /** Counts a failure; false where there have been too many. */
  synchronized boolean fail() {
    return failures.take();
  }
}
