package dev.bridle.storage.layer;

import dev.bridle.storage.StoreLimits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Creates values with placeholders of versionstamps. */
final class Stamps {
  static final int BYTES = StoreLimits.VERSIONSTAMP_BYTES;

  private Stamps() {}

  /**
   * Returns a value with a placeholder at {@code offset}, followed by that offset, as the engines
   * require.
   */
  static byte[] value(byte[] valueWithRoom, int offset) {
    return ByteBuffer.allocate(valueWithRoom.length + Integer.BYTES)
        .put(valueWithRoom)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(offset)
        .array();
  }
}
