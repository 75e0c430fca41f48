package dev.bridle.storage.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Truncates damaged write-ahead logs that would make RocksDB loop for ever. RocksDB 11.8 reads on
 * after a damaged record; if a later block looks like a record of a recycled log, it never gets
 * past that block (similar to facebook/rocksdb #13333). Logs are never recycled here, so such a
 * block is garbage. The cut-off part is kept beside the log.
 */
final class LogTail {
  private static final Logger log = LoggerFactory.getLogger(LogTail.class);
  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int TYPE = 6;
  private static final int MASK_DELTA = 0xa282ead8;

  /** The record types of recycled logs, whose header contains a log number. */
  private static final Set<Integer> RECYCLED = Set.of(5, 6, 7, 8, 11, 131);

  private LogTail() {}

  /** Truncates the logs of a database that would prevent its opening. */
  static void cutAll(Path files) throws IOException {
    if (!Files.isDirectory(files)) {
      return;
    }
    List<Path> logs;
    try (Stream<Path> names = Files.list(files)) {
      logs = names.filter(file -> file.getFileName().toString().endsWith(".log")).toList();
    }
    for (Path file : logs) {
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        OptionalLong end = validEnd(channel);
        if (end.isPresent()) {
          cut(file, channel, end.getAsLong());
        }
      }
    }
  }

  private static void cut(Path file, FileChannel channel, long end) throws IOException {
    Path rest = file.resolveSibling(file.getFileName() + ".cut");
    try (FileChannel kept =
        FileChannel.open(
            rest,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      long at = end;
      while (at < channel.size()) {
        at += channel.transferTo(at, channel.size() - at, kept);
      }
      kept.force(true);
    }
    log.warn("{} is damaged from byte {} on; the rest was moved to {}", file, end, rest);
    channel.truncate(end);
    channel.force(true);
  }

  /** Returns the end of the valid records of a log; empty if the engine can read the log. */
  static OptionalLong validEnd(FileChannel channel) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    OptionalLong valid = OptionalLong.empty();
    for (long start = 0; start < channel.size(); start += BLOCK) {
      read(channel, start, block);
      if (valid.isEmpty()) {
        int end = validIn(block);
        if (end < block.limit()) {
          valid = OptionalLong.of(start + end);
        }
      } else if (block.limit() >= HEADER && RECYCLED.contains(block.get(TYPE) & 0xff)) {
        return valid;
      }
    }
    return OptionalLong.empty();
  }

  private static void read(FileChannel channel, long start, ByteBuffer block) throws IOException {
    block.clear();
    while (block.hasRemaining() && channel.read(block, start + block.position()) >= 0) {
      // Until the block is full, or the file ends.
    }
    block.flip();
  }

  /** Returns the end of the valid records of a block; its limit if all are valid. */
  private static int validIn(ByteBuffer block) {
    int at = 0;
    while (block.limit() - at >= HEADER) {
      int length = block.getShort(at + 4) & 0xffff;
      boolean whole = at + HEADER + length <= block.limit();
      if (!whole || block.getInt(at) != masked(block, at + TYPE, length + 1)) {
        return at;
      }
      at += HEADER + length;
    }
    return block.limit();
  }

  private static int masked(ByteBuffer block, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(block.slice(from, length));
    return Integer.rotateRight((int) crc.getValue(), 15) + MASK_DELTA;
  }
}
