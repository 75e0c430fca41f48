package dev.bridle.core.operations.portability.file;

import com.google.protobuf.MessageLite;
import dev.bridle.proof.hash.ChainedSha256;
import dev.bridle.proof.hash.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/** Collects entries into blocks, and splits those into pieces for transmission. */
public final class BlockWriter {
  /** The maximum length of a piece in bytes. */
  public static final int PIECE_BYTES = 64 * 1024;

  /** The size from which on a block is closed. With its frame it usually fits into one piece. */
  private static final int FULL_BYTES = 48 * 1024;

  private final ChainedSha256 blocks;
  private final Deque<byte[]> pieces = new ArrayDeque<>();
  private ByteArrayOutputStream open = new ByteArrayOutputStream();

  /**
   * Begins, or goes on with a file.
   *
   * @param blocks the hash of the blocks before
   */
  public BlockWriter(ChainedSha256 blocks) {
    this.blocks = blocks;
  }

  /** Returns the hash of all blocks up to now, with those that are not full yet. */
  public Sha256 blocks() {
    closeBlock();
    return blocks.soFar();
  }

  /** Adds an entry. */
  public void add(MessageLite entry) {
    if (open.size() > 0 && open.size() + entry.getSerializedSize() > FULL_BYTES) {
      closeBlock();
    }
    try {
      entry.writeDelimitedTo(open);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a complete block, or the file's magic bytes. */
  public void addWhole(byte[] block) {
    closeBlock();
    blocks.add(block);
    for (int at = 0; at < block.length; at += PIECE_BYTES) {
      pieces.add(Arrays.copyOfRange(block, at, Math.min(block.length, at + PIECE_BYTES)));
    }
  }

  /** Returns the next piece, if one is ready. */
  public Optional<byte[]> poll() {
    return Optional.ofNullable(pieces.poll());
  }

  private void closeBlock() {
    if (open.size() > 0) {
      byte[] content = open.toByteArray();
      open = new ByteArrayOutputStream();
      addWhole(Block.encode(Block.DATA, content));
    }
  }
}
