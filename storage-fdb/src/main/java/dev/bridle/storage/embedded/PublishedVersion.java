package dev.bridle.storage.embedded;

import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.ReadOptions;
import org.rocksdb.Snapshot;

/**
 * What readers see: one snapshot for each batch, shared by every transaction that reads at its
 * version and freed with the last of them.
 */
final class PublishedVersion {
  private final Database database;
  private final long version;
  private final Snapshot snapshot;
  private final ReadOptions readOptions;
  private final AtomicInteger references = new AtomicInteger(1);

  PublishedVersion(Database database, long version, Snapshot snapshot) {
    this.database = database;
    this.version = version;
    this.snapshot = snapshot;
    this.readOptions = new ReadOptions().setSnapshot(snapshot);
  }

  long version() {
    return version;
  }

  /** Takes a reference, unless the last one has just been given back. */
  boolean retain() {
    int count = references.get();
    while (count > 0) {
      if (references.compareAndSet(count, count + 1)) {
        return true;
      }
      count = references.get();
    }
    return false;
  }

  void release() {
    if (references.decrementAndGet() == 0) {
      database.retire(this);
    }
  }

  /** Returns the stored value, or null: this is on every read's path inside the package. */
  byte[] get(byte[] key) {
    return database.call(rocks -> rocks.get(readOptions, key));
  }

  Database database() {
    return database;
  }

  Snapshot snapshot() {
    return snapshot;
  }

  ReadOptions readOptions() {
    return readOptions;
  }
}
