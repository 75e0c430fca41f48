package dev.bridle.core.operations.check.proof;

import dev.bridle.core.operations.check.walk.SeenSet;

/**
 * What rows say of other rows, by hashes: each is expected first and may be seen later. Uses 9
 * bytes per slot, and keeps a limited number: what does not fit is unproven. Several threads may
 * add.
 */
public final class Claims {
  /** The maximum number of hashes in memory. */
  private static final int LIMIT = 1_000_000;

  private final SeenSet hashes = new SeenSet();
  private int size;
  private boolean full;

  /** Adds what must be seen, or what may be asked for. */
  public synchronized void expect(long hash) {
    full = full || size == LIMIT;
    if (!full && hashes.expect(hash)) {
      size++;
    }
  }

  /** Marks as seen what has been expected; anything else is ignored. */
  public synchronized void see(long hash) {
    var unusedFirst = hashes.see(hash);
  }

  /** Returns whether something is expected. */
  public synchronized boolean isExpected(long hash) {
    return hashes.expects(hash);
  }

  /** Returns whether something is expected and has been seen. */
  public synchronized boolean proves(long hash) {
    return hashes.expects(hash) && !hashes.unseen(hash);
  }

  /** Returns whether all that was expected has been seen. */
  public synchronized boolean proveAll() {
    return !full && hashes.allSeen();
  }
}
