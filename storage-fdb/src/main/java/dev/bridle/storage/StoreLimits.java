package dev.bridle.storage;

import java.time.Duration;

/** The limits of FoundationDB, which every engine enforces. */
public final class StoreLimits {
  /** Longest key, in bytes. */
  public static final int MAX_KEY_BYTES = 10_000;

  /** Longest value, in bytes. */
  public static final int MAX_VALUE_BYTES = 100_000;

  /** Largest transaction: keys and values of its writes and all its conflict ranges, in bytes. */
  public static final int MAX_TRANSACTION_BYTES = 10_000_000;

  /** Oldest read version that may still commit. */
  public static final Duration MAX_TRANSACTION_AGE = Duration.ofSeconds(5);

  /**
   * Bytes of a versionstamp: an 8-byte commit version and a 2-byte number within its batch,
   * big-endian.
   */
  public static final int VERSIONSTAMP_BYTES = 10;

  private StoreLimits() {}
}
