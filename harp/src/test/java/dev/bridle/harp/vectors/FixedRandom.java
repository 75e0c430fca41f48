package dev.bridle.harp.vectors;

import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/** Returns given bytes in place of random ones, so that vectors are always the same. */
final class FixedRandom extends SecureRandom {
  private static final long serialVersionUID = 1;

  private final transient Queue<byte[]> chunks;

  private FixedRandom(List<byte[]> chunks) {
    this.chunks = new ArrayDeque<>(chunks);
  }

  /** Returns a source whose calls return these bytes, one element each. */
  static SecureRandom of(byte[]... chunks) {
    return new FixedRandom(List.of(chunks));
  }

  /** Returns consecutive bytes, beginning with one. */
  static byte[] count(int first, int length) {
    byte[] bytes = new byte[length];
    for (int at = 0; at < length; at++) {
      bytes[at] = (byte) (first + at);
    }
    return bytes;
  }

  /** Returns equal bytes. */
  static byte[] repeat(int value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  @Override
  public void nextBytes(byte[] bytes) {
    byte[] next = chunks.remove();
    if (next.length != bytes.length) {
      throw new IllegalStateException(
          bytes.length + " random bytes are needed, and " + next.length + " are given");
    }
    System.arraycopy(next, 0, bytes, 0, bytes.length);
  }
}
