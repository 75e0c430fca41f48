package dev.bridle.storage.embedded;

import dev.bridle.storage.LimitCheck;
import dev.bridle.storage.StoreLimits;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Creates versionstamps and parses their placeholders. */
final class Stamps {
  private static final byte[] HIGHEST = new byte[StoreLimits.VERSIONSTAMP_BYTES];

  static {
    Arrays.fill(HIGHEST, (byte) 0xFF);
  }

  private Stamps() {}

  /** Returns the stamp of the transaction with this number in the batch of this version. */
  static byte[] stamp(long version, int number) {
    return ByteBuffer.allocate(StoreLimits.VERSIONSTAMP_BYTES)
        .putLong(version)
        .putShort((short) number)
        .array();
  }

  /**
   * A key or value with a placeholder in it.
   *
   * @param bytes the key or value without its offset suffix
   * @param offset where the placeholder begins
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Template(byte[] bytes, int offset) {

    static Template parse(byte[] withOffset) {
      int offset = LimitCheck.stampOffset(withOffset);
      return new Template(Arrays.copyOf(withOffset, withOffset.length - Integer.BYTES), offset);
    }

    /** Returns the range of keys that stamping at or after {@code version} can produce. */
    Span possible(long version) {
      byte[] last = bytes.clone();
      System.arraycopy(HIGHEST, 0, last, offset, HIGHEST.length);
      byte[] first = bytes.clone();
      System.arraycopy(stamp(version, 0), 0, first, offset, HIGHEST.length);
      return new Span(first, Arrays.copyOf(last, last.length + 1));
    }
  }
}
