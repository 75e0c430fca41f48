package dev.bridle.storage.embedded;

import org.rocksdb.RocksDBException;

/** The storage that a {@link CommitPipeline} commits to. Not thread-safe. */
interface Backing {

  /** Returns which writes the free disk space currently allows. */
  DiskSpace.Room room(long nanoTime);

  /**
   * Stores the writes of a batch. On return they are as durable as the backing guarantees.
   *
   * @param latest the state before this batch
   * @throws RocksDBException when it is not known whether the batch was written
   */
  void write(BatchMerge merge, long version, PublishedVersion latest) throws RocksDBException;

  /** Publishes the written state. The caller owns the first reference. */
  PublishedVersion publish(long version);
}
