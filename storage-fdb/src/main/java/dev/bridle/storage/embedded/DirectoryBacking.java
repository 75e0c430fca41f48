package dev.bridle.storage.embedded;

import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Stores batches in RocksDB: a batch is one synced write, after which the acknowledged version is
 * raised.
 */
record DirectoryBacking(
    Database database,
    AcknowledgedMark mark,
    DiskSpace diskSpace,
    EngineEnvironment.BeforeSync beforeSync)
    implements Backing {

  @Override
  public DiskSpace.Room room(long nanoTime) {
    return diskSpace.room(nanoTime);
  }

  @Override
  public void write(BatchMerge merge, long version, PublishedVersion latest)
      throws RocksDBException {
    ValueCache.Changes changes = new ValueCache.Changes();
    try (WriteBatch batch = new WriteBatch()) {
      merge.writeTo(new RocksBatch(batch, changes), latest);
      EngineRecords.putVersion(batch, version);
      diskSpace.wrote(batch.getDataSize());
      beforeSync.run();
      database.write(batch);
    }
    database.values().change(changes, version);
    mark.raiseTo(version);
  }

  @Override
  public PublishedVersion publish(long version) {
    return database.publish(version);
  }

  private record RocksBatch(WriteBatch batch, ValueCache.Changes changes) implements BatchWriter {
    @Override
    public void put(byte[] key, byte[] value) throws RocksDBException {
      batch.put(key, value);
      changes.put(key, value);
    }

    @Override
    public void delete(byte[] key) throws RocksDBException {
      batch.delete(key);
      changes.delete(key);
    }

    @Override
    public void deleteRange(byte[] begin, byte[] end) throws RocksDBException {
      batch.deleteRange(begin, end);
      changes.deleteRange(begin, end);
    }
  }
}
