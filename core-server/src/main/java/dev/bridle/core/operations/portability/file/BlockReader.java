package dev.bridle.core.operations.portability.file;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Splits the bytes of a file into blocks and verifies their checksums. Buffers at most one block.
 */
public final class BlockReader {
  private static final int HEAD_BYTES = 1 + Integer.BYTES;

  private final Consumer<Block> to;
  private byte[] open;
  private int filled;
  private boolean magic;
  private long begin;

  private BlockReader(Consumer<Block> to, long begin, boolean magic) {
    this.to = to;
    this.begin = begin;
    this.magic = magic;
    this.open = new byte[magic ? Block.MAGIC.length : HEAD_BYTES];
  }

  /** Creates a reader of a file from its start. */
  public static BlockReader whole(Consumer<Block> to) {
    return new BlockReader(to, 0, true);
  }

  /** Creates a reader of a file from the offset of a block. */
  public static BlockReader from(long offset, Consumer<Block> to) {
    return offset == 0 ? whole(to) : new BlockReader(to, offset, false);
  }

  /**
   * Accepts the next bytes.
   *
   * @throws DamagedFileException if they are not part of an export file
   */
  public void take(byte[] bytes, int from, int length) {
    int at = from;
    int end = from + length;
    while (at < end) {
      int taken = Math.min(open.length - filled, end - at);
      System.arraycopy(bytes, at, open, filled, taken);
      filled += taken;
      at += taken;
      if (filled == open.length) {
        complete();
      }
    }
  }

  /** Checks that the file does not end in the middle of a block. */
  public void end() {
    if (filled > 0 || magic) {
      throw new DamagedFileException(
          "the file ends in the middle of a block, at byte " + (begin + filled));
    }
  }

  private void complete() {
    if (magic) {
      if (!Arrays.equals(open, Block.MAGIC)) {
        throw new DamagedFileException(
            "the file does not begin as an export of format 1 does; it is none, or one of a newer"
                + " Bridle");
      }
      magic = false;
      next(begin + open.length);
    } else if (open.length == HEAD_BYTES) {
      int length = ByteBuffer.wrap(open, 1, Integer.BYTES).getInt();
      if (length < 0 || length > (open[0] == Block.DATA ? Block.MAX_BYTES : Block.MAX_JSON_BYTES)) {
        throw damaged();
      }
      open = Arrays.copyOf(open, Block.FRAME_BYTES + length);
    } else {
      emit();
    }
  }

  private void emit() {
    int crcAt = open.length - Integer.BYTES;
    CRC32C crc = new CRC32C();
    crc.update(open, 0, crcAt);
    if ((int) crc.getValue() != ByteBuffer.wrap(open, crcAt, Integer.BYTES).getInt()) {
      throw damaged();
    }
    long end = begin + open.length;
    Block block = new Block(open[0], Arrays.copyOfRange(open, HEAD_BYTES, crcAt), begin, end);
    next(end);
    to.accept(block);
  }

  private void next(long offset) {
    begin = offset;
    open = new byte[HEAD_BYTES];
    filled = 0;
  }

  private DamagedFileException damaged() {
    return new DamagedFileException(
        "the block at byte " + begin + " is damaged: its checksum does not fit");
  }
}
