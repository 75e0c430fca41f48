package dev.bridle.core.operations.check.proof;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * A hash of 64 bits over the items of a row, for comparisons that keep no rows. Its multiplier is
 * secret and another one in each process, so that nobody can choose texts whose hashes are equal.
 */
public final class RowHash {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long START = RANDOM.nextLong();
  // 5 modulo 8, so that all bits of an item reach the upper ones; not negative.
  private static final long MULTIPLIER = (RANDOM.nextLong() & Long.MAX_VALUE & ~7L) | 5;

  /** The characters of a word. */
  private static final int CHARS = 4;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private long hash = START;

  private RowHash() {}

  public static RowHash of(String first) {
    return new RowHash().add(first);
  }

  public static RowHash of(long first) {
    return new RowHash().add(first);
  }

  public RowHash add(String text) {
    int length = text.length();
    int at = 0;
    for (; at + CHARS <= length; at += CHARS) {
      fold(
          text.charAt(at)
              | ((long) text.charAt(at + 1) << 16)
              | ((long) text.charAt(at + 2) << 32)
              | ((long) text.charAt(at + 3) << 48));
    }
    long rest = 0;
    for (; at < length; at++) {
      rest = (rest << Character.SIZE) | text.charAt(at);
    }
    fold(rest);
    return add(length);
  }

  public RowHash add(byte[] bytes) {
    int at = 0;
    for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
      fold((long) WORD.get(bytes, at));
    }
    long rest = 0;
    for (; at < bytes.length; at++) {
      rest = (rest << Byte.SIZE) | (bytes[at] & 0xff);
    }
    fold(rest);
    return add(bytes.length);
  }

  /**
   * Adds a word, by both halves of an unsigned product. Which bits of them another word changes
   * depends on the secret multiplier; in a signed product a negated word changes known bits.
   */
  private void fold(long word) {
    long mixed = hash ^ word;
    long upper = Math.multiplyHigh(mixed, MULTIPLIER) + ((mixed >> (Long.SIZE - 1)) & MULTIPLIER);
    hash = (mixed * MULTIPLIER) ^ upper;
  }

  public RowHash add(long number) {
    hash = mix(hash ^ (number * 0x9e3779b97f4a7c15L)) * MULTIPLIER;
    return this;
  }

  /** Returns the hash. */
  public long end() {
    return mix(hash);
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
