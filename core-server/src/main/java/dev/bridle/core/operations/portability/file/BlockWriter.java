package dev.bridle.core.operations.portability.file;

import com.google.protobuf.MessageLite;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/** Makes blocks of what is added, and cuts them into pieces for the wire. */
public final class BlockWriter {
  /** The longest piece. */
  public static final int PIECE_BYTES = 64 * 1024;

  /** From this size on a block is closed: with its frame it is then one piece, as a rule. */
  private static final int FULL_BYTES = 48 * 1024;

  private final Deque<byte[]> pieces = new ArrayDeque<>();
  private ByteArrayOutputStream open = new ByteArrayOutputStream();

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

  /** Adds what is a block already, or the file's beginning. */
  public void addWhole(byte[] block) {
    closeBlock();
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
