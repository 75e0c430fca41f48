package dev.bridle.storage.embedded;

import org.rocksdb.RocksDBException;

/** Where a {@link CommitPipeline} keeps what it commits. Used by one thread at a time. */
interface Backing {

  /** Returns what may be written for now. */
  DiskSpace.Room room(long nanoTime);

  /**
   * Keeps the writes of a batch. Once it returns they outlive whatever the backing promises to
   * outlive.
   *
   * @param latest the state before this batch
   * @throws RocksDBException when it is not known whether the batch was written
   */
  void write(BatchMerge merge, long version, PublishedVersion latest) throws RocksDBException;

  /** Makes what has been written readable. The first reference is the caller's. */
  PublishedVersion publish(long version);
}
