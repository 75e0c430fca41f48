package dev.bridle.storage.embedded;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/**
 * A RocksDB snapshot per batch, shared by all transactions that read at its version and freed with
 * the last of them.
 */
final class RocksVersion implements PublishedVersion {
  private final Database database;
  private final long version;
  private final Snapshot snapshot;
  private final ReadOptions readOptions;
  private final AtomicInteger references = new AtomicInteger(1);

  RocksVersion(Database database, long version, Snapshot snapshot) {
    this.database = database;
    this.version = version;
    this.snapshot = snapshot;
    this.readOptions = new ReadOptions().setSnapshot(snapshot);
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public boolean retain() {
    int count = references.get();
    while (count > 0) {
      if (references.compareAndSet(count, count + 1)) {
        return true;
      }
      count = references.get();
    }
    return false;
  }

  @Override
  public void release() {
    if (references.decrementAndGet() == 0) {
      database.retire(this);
    }
  }

  @Override
  public byte[] get(byte[] key) {
    return database.call(
        rocks -> database.values().get(key, version, wanted -> rocks.get(readOptions, wanted)));
  }

  @Override
  public <T> T read(Span span, Function<StoredKeys, T> work) {
    return database.call(rocks -> read(rocks, span, work));
  }

  private <T> T read(RocksDB rocks, Span span, Function<StoredKeys, T> work)
      throws RocksDBException {
    try (Slice lower = new Slice(span.begin());
        Slice upper = new Slice(span.end());
        ReadOptions options =
            new ReadOptions()
                .setSnapshot(snapshot)
                .setIterateLowerBound(lower)
                .setIterateUpperBound(upper);
        RocksIterator stored = rocks.newIterator(options)) {
      stored.seekToFirst();
      T result = work.apply(new RocksKeys(stored));
      // A cursor that hit corruption is invalid, like one at the end of its range.
      stored.status();
      return result;
    }
  }

  Snapshot snapshot() {
    return snapshot;
  }

  ReadOptions readOptions() {
    return readOptions;
  }
}
