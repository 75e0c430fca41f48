package dev.bridle.core.kernel.id;

import dev.bridle.storage.layer.Base32;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.random.RandomGenerator;

/**
 * Generates ids: a prefix, the time in milliseconds and 80 random bits, so that ids sort by
 * creation time.
 */
public final class IdMint {
  private static final int TIME_BYTES = 6;
  private static final int RANDOM_BYTES = 10;

  private final Clock clock;
  private final RandomGenerator random;

  /** Generates ids with this clock and randomness; {@code random} must be thread-safe. */
  public IdMint(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** Returns a new id such as {@code task_01j…}. */
  public String next(String prefix) {
    byte[] bytes = new byte[TIME_BYTES + RANDOM_BYTES];
    byte[] time = ByteBuffer.allocate(Long.BYTES).putLong(clock.millis()).array();
    System.arraycopy(time, Long.BYTES - TIME_BYTES, bytes, 0, TIME_BYTES);
    byte[] noise = bytes(RANDOM_BYTES);
    System.arraycopy(noise, 0, bytes, TIME_BYTES, RANDOM_BYTES);
    return prefix + "_" + Base32.encode(bytes);
  }

  /** Returns random bytes. */
  public byte[] bytes(int count) {
    byte[] noise = new byte[count];
    random.nextBytes(noise);
    return noise;
  }
}
