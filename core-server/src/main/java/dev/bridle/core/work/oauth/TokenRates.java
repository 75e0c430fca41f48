package dev.bridle.core.work.oauth;

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
  private final Bucket failures;
  private final Map<String, Bucket> clients =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
          return size() > MAX_CLIENTS;
        }
      };

  TokenRates(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.failures = new Bucket(FAILURE_BURST, FAILURES_PER_SECOND);
  }

  /** Counts a token of a client that has proved itself; false where it has had too many. */
  synchronized boolean admit(String clientId) {
    return clients
        .computeIfAbsent(clientId, id -> new Bucket(CLIENT_BURST, CLIENT_PER_SECOND))
        .take();
  }

  /** Counts a failure; false where there have been too many. */
  synchronized boolean fail() {
    return failures.take();
  }

  private final class Bucket {
    private final int burst;
    private final double perSecond;
    private double left;
    private long at;

    Bucket(int burst, double perSecond) {
      this.burst = burst;
      this.perSecond = perSecond;
      this.left = burst;
      this.at = nanoTime.getAsLong();
    }

    boolean take() {
      long now = nanoTime.getAsLong();
      left = Math.min(burst, left + (now - at) / 1e9 * perSecond);
      at = now;
      if (left < 1) {
        return false;
      }
      left--;
      return true;
    }
  }
}
