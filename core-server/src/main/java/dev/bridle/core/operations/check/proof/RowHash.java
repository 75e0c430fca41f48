package dev.bridle.core.operations.check.proof;

import java.security.SecureRandom;

/**
 * A hash of 64 bits over the items of a row, for comparisons that keep no rows. Its multiplier is
 * secret and another one in each process, so that nobody can choose texts whose hashes are equal.
 */
public final class RowHash {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long START = RANDOM.nextLong();
  // 5 modulo 8, so that all bits of an item reach the upper ones.
  private static final long MULTIPLIER = (RANDOM.nextLong() & ~7L) | 5;

  private long hash = START;

  private RowHash() {}

  public static RowHash of(String first) {
    return new RowHash().add(first);
  }

  public static RowHash of(long first) {
    return new RowHash().add(first);
  }

  public RowHash add(String text) {
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * MULTIPLIER;
    }
    return add(text.length());
  }

  public RowHash add(byte[] bytes) {
    for (byte each : bytes) {
      hash = (hash ^ (each & 0xff)) * MULTIPLIER;
    }
    return add(bytes.length);
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
