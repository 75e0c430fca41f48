package dev.bridle.core.operations.check.proof;

import dev.bridle.core.kernel.record.Place;

/**
 * The records that have been seen and may be referred to, by hashes of kind and id, each with
 * hashes of its place. Uses 16 bytes per slot, and keeps a limited number: one that is not in it
 * may exist.
 */
public final class KnownRecords {
  /** The maximum number of records in memory. */
  private static final int LIMIT = 2_000_000;

  private long[] ids = new long[1024];
  private long[] places = new long[1024];
  private int size;

  /** Adds a record, unless the limit is reached. */
  public synchronized void add(long id, Place place) {
    if (size == LIMIT || id == 0) {
      return;
    }
    if (size * 3 >= ids.length * 2) {
      grow();
    }
    int at = slot(ids, id);
    if (ids[at] == 0) {
      size++;
    }
    ids[at] = id;
    places[at] = hash(place);
  }

  /** Returns whether a record is known to exist. */
  public synchronized boolean contains(long id) {
    return id != 0 && ids[slot(ids, id)] == id;
  }

  /** Returns whether a record is known to exist at a place that another record agrees with. */
  public boolean agrees(long id, Place place) {
    return agrees(id, hash(place));
  }

  /** Returns the same of a place's hash. */
  synchronized boolean agrees(long id, long asked) {
    int at = slot(ids, id);
    return id != 0
        && ids[at] == id
        && agree((int) (places[at] >>> 32), (int) (asked >>> 32))
        && agree((int) places[at], (int) asked);
  }

  private static boolean agree(int one, int other) {
    return one == 0 || other == 0 || one == other;
  }

  /** Returns a hash of workspace and session; half of it is 0 where the place names none. */
  static long hash(Place place) {
    return ((long) half(place.workspace()) << 32) | (half(place.session()) & 0xffffffffL);
  }

  private static int half(String text) {
    return text.isEmpty() ? 0 : (int) RowHash.of(text).end() | 1;
  }

  private static int slot(long[] of, long id) {
    int mask = of.length - 1;
    int at = (int) id & mask;
    while (of[at] != 0 && of[at] != id) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow() {
    long[] moved = new long[ids.length * 2];
    long[] movedPlaces = new long[ids.length * 2];
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] != 0) {
        int at = slot(moved, ids[i]);
        moved[at] = ids[i];
        movedPlaces[at] = places[i];
      }
    }
    ids = moved;
    places = movedPlaces;
  }
}
