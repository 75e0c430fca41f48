package dev.bridle.storage.layer;

/**
 * Limits the bytes that one read brings into memory. The first value always fits, so that every
 * read makes progress. Not thread-safe.
 */
final class ByteBudget {
  /** How many values are read together while their size is unknown. */
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

  /** Returns how many of the wanted values to read next. */
  int next(int wanted) {
    boolean small = max == Long.MAX_VALUE || (values > 0 && used / values <= SMALL);
    return small ? wanted : Math.min(wanted, FIRST);
  }
}
