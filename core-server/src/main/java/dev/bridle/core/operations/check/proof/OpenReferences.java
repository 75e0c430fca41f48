package dev.bridle.core.operations.check.proof;

import dev.bridle.core.kernel.record.Place;
import java.util.Arrays;

/**
 * References to records that were not known when they were read. Uses 24 bytes for each, and keeps
 * a limited number: beyond it, no source is proven. Safe for use by several threads.
 */
public final class OpenReferences {
  /** The maximum number of references in memory. */
  private static final int LIMIT = 500_000;

  private static final int ITEMS = 3;

  private final KnownRecords known;
  private final Differences sources;
  private long[] open = new long[ITEMS * 64];
  private int size;

  /**
   * Creates an empty list.
   *
   * @param known the known records
   * @param sources the proofs of the rows that refer
   */
  OpenReferences(KnownRecords known, Differences sources) {
    this.known = known;
    this.sources = sources;
  }

  /**
   * Adds a reference, unless what it names is known.
   *
   * @param source the row that refers
   * @param target the hash of the record that it names
   * @param place the place of both, if they must lie at one
   */
  public void add(long source, long target, Place place) {
    long at = KnownRecords.hash(place);
    if (!known.agrees(target, at)) {
      keep(source, target, at);
    }
  }

  private synchronized void keep(long source, long target, long place) {
    if (size == LIMIT) {
      sources.doubtAll();
      return;
    }
    if (open.length == size * ITEMS) {
      open = Arrays.copyOf(open, open.length * 2);
    }
    open[size * ITEMS] = source;
    open[size * ITEMS + 1] = target;
    open[size * ITEMS + 2] = place;
    size++;
  }

  /** Leaves each source unproven whose target is still unknown. Called after the last row. */
  public synchronized void resolve() {
    for (int i = 0; i < size * ITEMS; i += ITEMS) {
      if (!known.agrees(open[i + 1], open[i + 2])) {
        sources.doubt(open[i]);
      }
    }
    open = new long[ITEMS];
    size = 0;
  }
}
