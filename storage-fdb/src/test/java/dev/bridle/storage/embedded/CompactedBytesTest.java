package dev.bridle.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/** What is written once is not rewritten many times over as the store grows. */
@Tag("slow")
final class CompactedBytesTest {
  private static final int MIB = 1 << 20;
  private static final EmbeddedOptions SMALL_BUFFER =
      new EmbeddedOptions(8 * MIB, MIB, 1, MIB, MIB, 1, 0, false);
  private static final int VALUE_BYTES = 1000;

  /** As the rows of tasks: several kinds, and within a kind the newest at its end. */
  private static final String[] KINDS = {"body", "feed", "index", "task"};

  @TempDir private Path directory;

  @Test
  void aStoreOfAHundredWriteBuffersHasRewrittenItsRowsAFewTimes() throws Exception {
    NativeLibrary.load(directory);
    try (DatabaseConfig config = new DatabaseConfig(SMALL_BUFFER);
        Statistics statistics = new Statistics();
        FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      config.options().setStatistics(statistics);
      try (RocksDB rocks =
          RocksDB.open(config.options(), directory.resolve("rocksdb").toString())) {
        write(rocks, 100 * MIB / VALUE_BYTES);
        rocks.flush(flush);
        rocks.cancelAllBackgroundWork(true);
      }
      long flushed = statistics.getTickerCount(TickerType.FLUSH_WRITE_BYTES);
      long compacted = statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES);
      assertThat(flushed).isGreaterThan(90L * MIB);
      assertThat(compacted).isLessThan(3 * flushed);
    }
  }

  private static void write(RocksDB rocks, int rows) throws RocksDBException {
    Random random = new Random(16);
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; i < rows; i++) {
      byte[] kind = KINDS[i % KINDS.length].getBytes(StandardCharsets.UTF_8);
      random.nextBytes(value);
      rocks.put(
          ByteBuffer.allocate(kind.length + Integer.BYTES).put(kind).putInt(i).array(), value);
    }
  }
}
