package dev.bridle.storage.embedded;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** FoundationDB's addition of little-endian numbers, for eight bytes. */
final class AtomicAdd {
  private AtomicAdd() {}

  /**
   * Returns {@code base + delta}; a shorter base is filled up with zeros, a longer one loses its
   * upper bytes.
   */
  static byte[] apply(byte[] base, long delta) {
    byte[] sum = new byte[Long.BYTES];
    System.arraycopy(base, 0, sum, 0, Math.min(base.length, sum.length));
    ByteBuffer number = ByteBuffer.wrap(sum).order(ByteOrder.LITTLE_ENDIAN);
    number.putLong(0, number.getLong(0) + delta);
    return sum;
  }
}
