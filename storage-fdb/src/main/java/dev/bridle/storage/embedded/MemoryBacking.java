package dev.bridle.storage.embedded;

import java.util.List;
import org.pcollections.TreePMap;
import org.rocksdb.RocksDBException;

/** Keeps batches in an immutable map, which each batch replaces. Not durable. */
final class MemoryBacking implements Backing, BatchWriter {
  private TreePMap<byte[], byte[]> pairs;

  MemoryBacking(TreePMap<byte[], byte[]> pairs) {
    this.pairs = pairs;
  }

  @Override
  public DiskSpace.Room room(long nanoTime) {
    return DiskSpace.Room.ENOUGH;
  }

  @Override
  public void write(BatchMerge merge, long version, PublishedVersion latest)
      throws RocksDBException {
    merge.writeTo(this, latest);
  }

  @Override
  public MemoryVersion publish(long version) {
    return new MemoryVersion(version, pairs);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    pairs = pairs.plus(key, value);
  }

  @Override
  public void delete(byte[] key) {
    pairs = pairs.minus(key);
  }

  @Override
  public void deleteRange(byte[] begin, byte[] end) {
    for (byte[] key : List.copyOf(pairs.subMap(begin, true, end, false).keySet())) {
      delete(key);
    }
  }
}
