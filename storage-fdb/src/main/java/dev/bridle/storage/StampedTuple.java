package dev.bridle.storage;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Packs tuples with a versionstamp that the commit fills in. {@code Tuple.packWithVersionstamp}
 * gives the same bytes, but loads FoundationDB's native client, which embedded stores don't have.
 */
public final class StampedTuple {
  private static final byte[] PLACEHOLDER = new byte[StoreLimits.VERSIONSTAMP_BYTES];

  /** A packed stamp begins with its type code. */
  private static final int TYPE_CODE_BYTES = 1;

  private StampedTuple() {}

  /**
   * Returns a key for {@link Transaction#setVersionstampedKey}.
   *
   * @param tuple a tuple with exactly one incomplete versionstamp, not nested in another tuple
   * @param prefix the prefix of the key
   * @throws IllegalArgumentException when the tuple has none or more of them
   */
  public static byte[] pack(Tuple tuple, byte[] prefix) {
    Tuple complete = new Tuple();
    int offset = -1;
    for (Object item : tuple.getItems()) {
      if (item instanceof Versionstamp stamp && !stamp.isComplete()) {
        if (offset >= 0) {
          throw notOne(tuple);
        }
        offset = complete.pack(prefix).length + TYPE_CODE_BYTES;
        complete = complete.add(Versionstamp.complete(PLACEHOLDER, stamp.getUserVersion()));
      } else {
        complete = complete.addObject(item);
      }
    }
    if (offset < 0) {
      throw notOne(tuple);
    }
    byte[] key = complete.pack(prefix);
    return ByteBuffer.allocate(key.length + Integer.BYTES)
        .put(key)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(offset)
        .array();
  }

  private static IllegalArgumentException notOne(Tuple tuple) {
    return new IllegalArgumentException(
        "the tuple " + tuple + " must have exactly one incomplete versionstamp of its own");
  }
}
