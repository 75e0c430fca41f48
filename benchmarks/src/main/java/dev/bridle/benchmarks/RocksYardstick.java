package dev.bridle.benchmarks;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteOptions;

/**
 * Synced puts of one key, straight into RocksDB from many threads: what the engine is measured
 * against.
 */
final class RocksYardstick implements AutoCloseable {
  private static final long WRITE_BUFFER_BYTES = 16L << 20;
  private static final int VALUE_BYTES = 100;

  private final Path directory;
  private final Options options;
  private final WriteOptions synced;
  private final RocksDB rocks;
  private final AtomicLong number = new AtomicLong();

  RocksYardstick() throws Exception {
    this.directory = Files.createTempDirectory("bridle-yardstick-");
    this.options = new Options().setCreateIfMissing(true).setWriteBufferSize(WRITE_BUFFER_BYTES);
    this.synced = new WriteOptions().setSync(true);
    this.rocks = RocksDB.open(options, directory.toString());
  }

  Load.Result run(int concurrency, Duration time) throws Exception {
    byte[] value = new byte[VALUE_BYTES];
    return ThreadLoad.run(
        concurrency,
        time,
        thread ->
            () -> {
              byte[] key = ByteBuffer.allocate(8).putLong(number.getAndIncrement()).array();
              rocks.put(synced, key, value);
            });
  }

  @Override
  public void close() {
    rocks.close();
    synced.close();
    options.close();
    Target.delete(directory);
  }
}
