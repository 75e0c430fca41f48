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
 * Takes away from a log of the engine what would keep it busy for good. RocksDB 11.8 reads on
 * behind a damaged record, although it uses nothing of it; where one of the next blocks happens to
 * begin as a record of a recycled log does, it stays at that block for ever (facebook/rocksdb
 * #13333 tells of the like). Logs are never recycled here, so such a block is garbage. What is cut
 * off lies beside the log.
 */
final class LogTail {
  private static final Logger log = LoggerFactory.getLogger(LogTail.class);
  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int TYPE = 6;
  private static final int MASK_DELTA = 0xa282ead8;

  /** The types of records whose header goes on with the number of a log. */
  private static final Set<Integer> RECYCLED = Set.of(5, 6, 7, 8, 11, 131);

  private LogTail() {}

  /** Looks at all logs of a database, and cuts those that it could not be opened with. */
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
        OptionalLong end = soundEnd(channel);
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
    log.warn("{} is damaged from byte {} on; what follows lies in {} now", file, end, rest);
    channel.truncate(end);
    channel.force(true);
  }

  /**
   * Returns where the sound records of a log end; empty where the engine gets to the log's end by
   * itself.
   */
  static OptionalLong soundEnd(FileChannel channel) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    OptionalLong sound = OptionalLong.empty();
    for (long start = 0; start < channel.size(); start += BLOCK) {
      read(channel, start, block);
      if (sound.isEmpty()) {
        int end = soundIn(block);
        if (end < block.limit()) {
          sound = OptionalLong.of(start + end);
        }
      } else if (block.limit() >= HEADER && RECYCLED.contains(block.get(TYPE) & 0xff)) {
        return sound;
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

  /** Returns where the sound records of a block end; its limit where all of it is sound. */
  private static int soundIn(ByteBuffer block) {
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
