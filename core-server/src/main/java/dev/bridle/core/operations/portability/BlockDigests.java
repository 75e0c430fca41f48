package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.operations.portability.file.Block;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The digests of a file's blocks from the checking pass, so that later passes accept only the same
 * content. Uses 16 bytes per block of about 48 KiB.
 */
final class BlockDigests {
  private static final int BYTES = 16;

  private final List<byte[]> digests = new ArrayList<>();
  private final List<Long> offsets = new ArrayList<>();
  private long end;
  private long verifiedTo;

  void add(Block block) {
    digests.add(digest(block));
    offsets.add(block.begin());
    end = block.end();
  }

  void verify(Block block) {
    int at = Collections.binarySearch(offsets, block.begin());
    if (at < 0 || !MessageDigest.isEqual(digests.get(at), digest(block))) {
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
