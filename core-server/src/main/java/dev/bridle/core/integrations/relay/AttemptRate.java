package dev.bridle.core.integrations.relay;

import java.util.function.LongSupplier;

/**
 * How often callers without a credential may be wrong, all together: so many at once, and so many a
 * second. Thread-safe.
 */
final class AttemptRate {
  private static final int BURST = 50;
  private static final double PER_SECOND = 5;

  private final LongSupplier nanoTime;
  private double left = BURST;
  private long at;

  AttemptRate(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.at = nanoTime.getAsLong();
  }

  /** Fails with {@code rate_limited} where there were too many wrong attempts. */
  synchronized void check() {
    refill();
    if (left < 1) {
      throw RelayErrors.tooManyAttempts();
    }
  }

  /** Counts a wrong attempt. */
  synchronized void wrong() {
    refill();
    left = Math.max(0, left - 1);
  }

  private void refill() {
    long now = nanoTime.getAsLong();
    left = Math.min(BURST, left + (now - at) / 1e9 * PER_SECOND);
    at = now;
  }
}
