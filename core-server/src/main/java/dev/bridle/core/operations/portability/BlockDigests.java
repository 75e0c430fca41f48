package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.operations.portability.file.Block;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The digests of a file's blocks from the checking pass, so that later passes accept only the same
 * content. Uses 24 bytes per block of about 48 KiB, and takes no file that is all small blocks.
 */
final class BlockDigests {
  private static final int BYTES = 16;
  private static final int FREE_BLOCKS = 10_000;

  /** Far below the average block of any file that Bridle writes. */
  private static final int LEAST_AVERAGE_BYTES = 128;

  private byte[] digests = new byte[BYTES * 64];
  private long[] offsets = new long[64];
  private int count;
  private long end;
  private long verifiedTo;

  void add(Block block) {
    if (count > FREE_BLOCKS && block.end() / count < LEAST_AVERAGE_BYTES) {
      throw Entries.invalidFile("it has more blocks than files of its size have");
    }
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
      digests = Arrays.copyOf(digests, 2 * BYTES * count);
    }
    offsets[count] = block.begin();
    System.arraycopy(digest(block), 0, digests, BYTES * count, BYTES);
    count++;
    end = block.end();
  }

  /** Begins a pass that has the blocks from an offset on. */
  void from(long offset) {
    verifiedTo = offset;
  }

  void verify(Block block) {
    int at = Arrays.binarySearch(offsets, 0, count, block.begin());
    if (at < 0
        || !MessageDigest.isEqual(
            Arrays.copyOfRange(digests, BYTES * at, BYTES * (at + 1)), digest(block))) {
      throw changed();
    }
    verifiedTo = block.end();
  }

  /** Checks that a pass had the last block, too. Blocks come without a gap. */
  void end() {
    if (verifiedTo != end) {
      throw changed();
    }
  }

  private static ProtocolException changed() {
    return Entries.invalidFile("it changed while it was imported");
  }

  private static byte[] digest(Block block) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(block.type());
      return Arrays.copyOf(sha256.digest(block.content()), BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
