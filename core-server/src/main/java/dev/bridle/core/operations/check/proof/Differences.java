package dev.bridle.core.operations.check.proof;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Compares two sets of rows that must correspond one to one, without keeping them: each side's
 * hashes are summed in buckets, one side with the other sign. Where a row has no counterpart, the
 * sum of its bucket is not 0, so the rows of all other buckets are proven. The order does not
 * matter, so several threads may add.
 */
public final class Differences {
  private static final int BITS = 17;

  /** The buckets of a part, which is made when one is used: few rows take little memory. */
  private static final int PART_BITS = 6;

  private static final int BUCKETS = 1 << BITS;
  private static final int BUCKETS_OF_PART = 1 << PART_BITS;

  private final AtomicReferenceArray<AtomicLongArray> parts =
      new AtomicReferenceArray<>(BUCKETS / BUCKETS_OF_PART);

  /** How many sums are not 0: counted as they change, since each tenant's checks ask for it. */
  private final LongAdder doubtful = new LongAdder();

  private volatile boolean allInDoubt;

  /** Adds a row of the side that requires its counterpart. */
  public void expect(long bucketHash, long rowHash) {
    add(bucketHash, rowHash);
  }

  /** Adds a row of the other side. */
  public void see(long bucketHash, long rowHash) {
    add(bucketHash, -rowHash);
  }

  /** Leaves everything with this hash unproven. */
  public void doubt(long bucketHash) {
    add(bucketHash, RowHash.of(bucketHash).end());
  }

  /** Leaves everything unproven. */
  public void doubtAll() {
    allInDoubt = true;
  }

  /** Returns whether the rows of this hash all have their counterparts. */
  public boolean proves(long bucketHash) {
    int bucket = bucket(bucketHash);
    AtomicLongArray part = parts.get(bucket >>> PART_BITS);
    return !allInDoubt && (part == null || part.get(bucket % BUCKETS_OF_PART) == 0);
  }

  /** Returns whether all rows have their counterparts. */
  public boolean proveAll() {
    return doubtful() == 0;
  }

  /** Returns the part of the buckets that is not proven, from 0 to 1, once all rows are added. */
  public double doubtful() {
    return allInDoubt ? 1 : doubtful.sum() / (double) BUCKETS;
  }

  private void add(long bucketHash, long summand) {
    int bucket = bucket(bucketHash);
    long before = part(bucket >>> PART_BITS).getAndAdd(bucket % BUCKETS_OF_PART, summand);
    int change = Boolean.compare(before + summand != 0, before != 0);
    if (change != 0) {
      doubtful.add(change);
    }
  }

  private AtomicLongArray part(int number) {
    AtomicLongArray part = parts.get(number);
    if (part != null) {
      return part;
    }
    AtomicLongArray created = new AtomicLongArray(BUCKETS_OF_PART);
    return parts.compareAndSet(number, null, created) ? created : parts.get(number);
  }

  private static int bucket(long hash) {
    return (int) (hash >>> (Long.SIZE - BITS));
  }
}
