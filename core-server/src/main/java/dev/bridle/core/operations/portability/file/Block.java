package dev.bridle.core.operations.portability.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * A block of an export file: a letter for its type, a 4-byte length, its content, and the 4-byte
 * CRC32C of all three. Numbers are big-endian.
 *
 * @param type one of the letters below
 * @param content its content
 * @param begin its offset in the file
 * @param end the offset of the next block
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
public record Block(byte type, byte[] content, long begin, long end) {
  /** The first bytes of a file, which end with the format's version. */
  static final byte[] MAGIC = "BRIDLEEXPORT\r\n\0\1".getBytes(StandardCharsets.ISO_8859_1);

  /** The header, as JSON; the first block. */
  public static final byte HEADER = 'H';

  /** Entries, each with its length as a varint before it. */
  public static final byte DATA = 'D';

  /** The end of a unit, as JSON. The unit before it is complete. */
  public static final byte UNIT = 'U';

  /** The trailer, as JSON; the last block. */
  public static final byte TRAILER = 'T';

  /** The maximum length of the content, which fits the largest event that the store accepts. */
  static final int MAX_BYTES = 16 << 20;

  /** The maximum length of what is JSON: headers, ends of units and trailers. */
  static final int MAX_JSON_BYTES = 1 << 20;

  static final int FRAME_BYTES = 1 + Integer.BYTES + Integer.BYTES;

  /** Encodes a block. */
  public static byte[] encode(byte type, byte[] content) {
    ByteBuffer block = ByteBuffer.allocate(FRAME_BYTES + content.length);
    block.put(type).putInt(content.length).put(content);
    CRC32C crc = new CRC32C();
    crc.update(block.array(), 0, block.position());
    return block.putInt((int) crc.getValue()).array();
  }

  /** Returns the first bytes of an export file. */
  public static byte[] magic() {
    return MAGIC.clone();
  }
}
