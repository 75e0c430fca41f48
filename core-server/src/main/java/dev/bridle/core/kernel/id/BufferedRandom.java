package dev.bridle.core.kernel.id;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Secure random bytes for many threads: each takes them from a block of its own, since the system's
 * source is behind one lock. What has been handed out is erased from the block.
 */
public final class BufferedRandom implements RandomGenerator {
  private static final int BLOCK_BYTES = 1024;

  private final SecureRandom source = new SecureRandom();
  private final ThreadLocal<Block> blocks = ThreadLocal.withInitial(Block::new);

  /** Creates a generator over the system's source. */
  public BufferedRandom() {}

  /** The bytes that one thread has left. */
  private static final class Block {
    private final byte[] bytes = new byte[BLOCK_BYTES];
    private int taken = BLOCK_BYTES;
  }

  @Override
  public void nextBytes(byte[] to) {
    if (to.length > BLOCK_BYTES) {
      source.nextBytes(to);
      return;
    }
    Block block = blocks.get();
    if (BLOCK_BYTES - block.taken < to.length) {
      source.nextBytes(block.bytes);
      block.taken = 0;
    }
    System.arraycopy(block.bytes, block.taken, to, 0, to.length);
    Arrays.fill(block.bytes, block.taken, block.taken + to.length, (byte) 0);
    block.taken += to.length;
  }

  @Override
  public long nextLong() {
    byte[] bytes = new byte[Long.BYTES];
    nextBytes(bytes);
    long value = 0;
    for (byte next : bytes) {
      value = value << Byte.SIZE | Byte.toUnsignedLong(next);
    }
    return value;
  }
}
