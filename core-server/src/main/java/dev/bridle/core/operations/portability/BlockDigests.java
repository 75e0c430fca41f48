package dev.bridle.core.operations.portability;

import dev.bridle.core.operations.portability.file.Block;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * What the blocks of a file were when it was checked, so that nothing else is loaded when the file
 * is sent again: 16 bytes for each block of about 48 KiB.
 */
final class BlockDigests {
  private static final int BYTES = 16;

  private final List<byte[]> digests = new ArrayList<>();
  private final List<Long> begins = new ArrayList<>();

  void note(Block block) {
    digests.add(digest(block));
    begins.add(block.begin());
  }

  void need(Block block) {
    int at = Collections.binarySearch(begins, block.begin());
    if (at < 0 || !MessageDigest.isEqual(digests.get(at), digest(block))) {
      throw Entries.bad("it changed while it was imported");
    }
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
