package dev.bridle.connection;

import java.util.function.LongSupplier;

/** Allows something so often at once, and so often a second from then on. Thread-safe. */
public final class TokenBucket {
  private final int burst;
  private final double perSecond;
  private final LongSupplier nanoTime;
  private double left;
  private long at;

  /**
   * Begins with as many as are allowed at once.
   *
   * @param burst how many that is
   * @param perSecond how many become allowed in a second
   * @param nanoTime the clock
   */
  public TokenBucket(int burst, double perSecond, LongSupplier nanoTime) {
    this.burst = burst;
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
    this.left = burst;
    this.at = nanoTime.getAsLong();
  }

  /** Counts one; false if it is not allowed, and not counted. */
  public synchronized boolean take() {
    boolean isAllowed = !isEmpty();
    if (isAllowed) {
      left--;
    }
    return isAllowed;
  }

  /** Returns whether none is allowed now. */
  public synchronized boolean isEmpty() {
    long now = nanoTime.getAsLong();
    left = Math.min(burst, left + (now - at) / 1e9 * perSecond);
    at = now;
    return left < 1;
  }
}
