package dev.bridle.storage.layer;

/**
 * Bounds what one read brings into memory. Whatever its size, the first value fits, so that every
 * read comes further. Used by one thread.
 */
final class ByteBudget {
  /** Values that are read together before it is known how large they are. */
  private static final int FIRST = 2;

  private static final long SMALL = 8L << 10;

  private final long max;
  private long used;
  private long values;

  ByteBudget(long max) {
    this.max = max;
  }

  void take(long bytes) {
    used += bytes;
    values++;
  }

  boolean isSpent() {
    return used >= max;
  }

  /** Returns how many values to read next of those that are still wanted. */
  int next(int wanted) {
    boolean small = max == Long.MAX_VALUE || (values > 0 && used / values <= SMALL);
    return small ? wanted : Math.min(wanted, FIRST);
  }
}
