package dev.bridle.worker;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Exponential backoff with up to 50 % jitter: the pause doubles with each attempt up to a limit.
 */
final class Backoff {
  private final long first;
  private final long limit;
  private long next;

  Backoff(long firstNanos, long limitNanos) {
    this.first = firstNanos;
    this.limit = limitNanos;
    this.next = firstNanos;
  }

  long nextNanos() {
    long whole = next;
    next = Math.min(limit, whole * 2);
    return whole / 2 + ThreadLocalRandom.current().nextLong(whole / 2 + 1);
  }

  void reset() {
    next = first;
  }
}
