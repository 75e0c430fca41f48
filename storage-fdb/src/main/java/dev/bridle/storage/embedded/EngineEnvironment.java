package dev.bridle.storage.embedded;

import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.rocksdb.RocksDBException;

/**
 * Clock, disk space and sync hook of the engine, replaceable in tests.
 *
 * @param nanoTime a monotonic clock in nanoseconds
 * @param usableBytes how many bytes the file system of a directory has left
 * @param beforeSync runs before each synced write; its failure is a failed write
 */
record EngineEnvironment(
    LongSupplier nanoTime, ToLongFunction<Path> usableBytes, BeforeSync beforeSync) {

  /** A step that may fail like a disk. */
  interface BeforeSync {
    void run() throws RocksDBException;
  }

  static final EngineEnvironment REAL =
      new EngineEnvironment(System::nanoTime, path -> path.toFile().getUsableSpace(), () -> {});
}
