package dev.bridle.core.operations.check.proof;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Compares two sets of rows that must correspond one to one, without keeping them: each side's
 * hashes are summed in buckets, one side with the other sign. Where a row has no counterpart, the
 * sum of its bucket is not 0, so the rows of all other buckets are proven. The order does not
 * matter, so several threads may add.
 */
public final class Differences {
  private static final int BITS = 17;

  private final AtomicLongArray sums = new AtomicLongArray(1 << BITS);

  /** Adds a row of the side that requires its counterpart. */
  public void expect(long bucketHash, long rowHash) {
    sums.getAndAdd(bucket(bucketHash), rowHash);
  }

  /** Adds a row of the other side. */
  public void see(long bucketHash, long rowHash) {
    sums.getAndAdd(bucket(bucketHash), -rowHash);
  }

  /** Leaves everything with this hash unproven. */
  public void doubt(long bucketHash) {
    sums.getAndAdd(bucket(bucketHash), RowHash.of(bucketHash).end());
  }

  /** Leaves everything unproven. */
  public void doubtAll() {
    for (int i = 0; i < sums.length(); i++) {
      sums.compareAndSet(i, 0, 1);
    }
  }

  /** Returns whether the rows of this hash all have their counterparts. */
  public boolean proves(long bucketHash) {
    return sums.get(bucket(bucketHash)) == 0;
  }

  /** Returns whether all rows have their counterparts. */
  public boolean proveAll() {
    return doubtful() == 0;
  }

  /** Returns the part of the buckets that is not proven, from 0 to 1. */
  public double doubtful() {
    int doubtful = 0;
    for (int i = 0; i < sums.length(); i++) {
      if (sums.get(i) != 0) {
        doubtful++;
      }
    }
    return doubtful / (double) sums.length();
  }

  private static int bucket(long hash) {
    return (int) (hash >>> (Long.SIZE - BITS));
  }
}
