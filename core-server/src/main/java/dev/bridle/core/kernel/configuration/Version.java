package dev.bridle.core.kernel.configuration;

import java.nio.ByteBuffer;

/** A version of a configuration, compared by its bytes, which nobody else holds. */
record Version(ByteBuffer stamp) {
  static Version of(byte[] stamp) {
    return new Version(ByteBuffer.wrap(stamp));
  }
}
