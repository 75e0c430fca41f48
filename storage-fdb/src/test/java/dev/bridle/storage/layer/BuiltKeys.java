package dev.bridle.storage.layer;

import dev.bridle.storage.KeyRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** What the tests of key builders ask of a key. */
final class BuiltKeys {
  private BuiltKeys() {}

  /** Returns 10 bytes of a commit. */
  static byte[] stamp(long version, int batch) {
    return ByteBuffer.allocate(Stamps.BYTES).putLong(version).putShort((short) batch).array();
  }

  /** Returns what a commit makes of a key that lacks its stamp. */
  static byte[] complete(byte[] stampedKey, byte[] stamp) {
    int length = stampedKey.length - Integer.BYTES;
    int offset =
        ByteBuffer.wrap(stampedKey, length, Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).getInt();
    byte[] key = Arrays.copyOf(stampedKey, length);
    System.arraycopy(stamp, 0, key, offset, stamp.length);
    return key;
  }

  /** Returns whether a range holds a key. */
  static boolean holds(KeyRange range, byte[] key) {
    return Arrays.compareUnsigned(range.begin(), key) <= 0
        && Arrays.compareUnsigned(key, range.end()) < 0;
  }
}
