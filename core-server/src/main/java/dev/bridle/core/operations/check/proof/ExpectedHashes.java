package dev.bridle.core.operations.check.proof;

import dev.bridle.core.operations.check.walk.SeenSet;

/**
 * A set of hashes that are expected first and may be seen later. Uses 9 bytes per slot, and keeps a
 * limited number: a hash that does not fit is unproven. Safe for use by several threads.
 */
public final class ExpectedHashes {
  /** The maximum number of hashes in memory. */
  private static final int LIMIT = 1_000_000;

  private final SeenSet hashes = new SeenSet();
  private int size;
  private boolean full;

  /** Adds a hash, unless the limit is reached. */
  public synchronized void expect(long hash) {
    full = full || size == LIMIT;
    if (!full && hashes.expect(hash)) {
      size++;
    }
  }

  /** Marks an expected hash as seen; ignores any other. */
  public synchronized void see(long hash) {
    var unusedFirst = hashes.see(hash);
  }

  /** Returns whether a hash is expected. */
  public synchronized boolean isExpected(long hash) {
    return hashes.expects(hash);
  }

  /** Returns whether a hash is expected and has been seen. */
  public synchronized boolean proves(long hash) {
    return hashes.expects(hash) && !hashes.unseen(hash);
  }

  /** Returns whether all expected hashes fitted and have been seen. */
  public synchronized boolean proveAll() {
    return !full && hashes.allSeen();
  }
}
