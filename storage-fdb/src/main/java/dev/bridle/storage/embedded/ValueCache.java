package dev.bridle.storage.embedded;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.rocksdb.RocksDBException;

/**
 * Small values that were read last, with the versions that they hold for. Each call of a client
 * reads the same few rows again (its credential, its tenant's era and configuration), and beside
 * writes a read of RocksDB searches the memtable and many files. A key has one slot, which the key
 * that was read last takes. Thread-safe.
 *
 * <p>A value holds from the version that it was read at until a batch changes its key. The
 * committer replaces what it changes before it publishes the batch, so a reader of the new version
 * never meets an earlier value; a reader of an earlier version does not take the new one.
 */
final class ValueCache {
  private static final int SLOTS = 2048;
  private static final int MAX_BYTES = 2 << 10;

  private final AtomicReferenceArray<Entry> slots = new AtomicReferenceArray<>(SLOTS);
  private volatile long newest = -1;

  /** A value, or that there is none: null. */
  private static final class Entry {
    private final byte[] key;
    private final byte[] value;
    private final long since;
    private volatile boolean holds;

    Entry(byte[] key, byte[] value, long since) {
      this.key = key;
      this.value = value;
      this.since = since;
    }

    boolean isOf(byte[] wanted, long version) {
      return holds && since <= version && Arrays.equals(key, wanted);
    }
  }

  /** The writes of one batch, which become values once the batch is durable. */
  static final class Changes implements BatchWriter {
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    private final List<Span> removed = new ArrayList<>();

    @Override
    public void put(byte[] key, byte[] value) {
      keys.add(key);
      values.add(value);
    }

    @Override
    public void delete(byte[] key) {
      keys.add(key);
      values.add(null);
    }

    @Override
    public void deleteRange(byte[] begin, byte[] end) {
      removed.add(new Span(begin, end));
    }
  }

  /** Reads a value that is not known. */
  interface Source {
    /** Returns the stored value, or null. */
    byte[] read(byte[] key) throws RocksDBException;
  }

  /** Returns the value of a key at a version, or null; the caller owns it. */
  byte[] get(byte[] key, long version, Source source) throws RocksDBException {
    int slot = slot(key);
    Entry known = slots.get(slot);
    if (known != null && known.isOf(key, version)) {
      return copy(known.value);
    }
    boolean current = version == newest;
    byte[] value = source.read(key);
    if (current && fits(key, value)) {
      Entry entry = new Entry(key, copy(value), version);
      slots.set(slot, entry);
      // A batch that came meanwhile may have looked into this slot before. One that comes from
      // here on finds the entry in it.
      entry.holds = version == newest;
    }
    return value;
  }

  /** Begins at the version that the store was opened with. */
  void open(long version) {
    newest = version;
  }

  /** Replaces what a batch has changed; called before its version is published. */
  void change(Changes changes, long version) {
    newest = version;
    changes.removed.forEach(this::remove);
    for (int i = 0; i < changes.keys.size(); i++) {
      byte[] key = changes.keys.get(i);
      int slot = slot(key);
      Entry found = slots.get(slot);
      if (found != null && Arrays.equals(found.key, key)) {
        slots.set(slot, replacement(key, changes.values.get(i), version));
      }
    }
  }

  private static Entry replacement(byte[] key, byte[] value, long version) {
    if (!fits(key, value)) {
      return null;
    }
    Entry entry = new Entry(key, value, version);
    entry.holds = true;
    return entry;
  }

  private void remove(Span range) {
    for (int slot = 0; slot < SLOTS; slot++) {
      Entry found = slots.get(slot);
      if (found != null
          && Arrays.compareUnsigned(range.begin(), found.key) <= 0
          && !range.endsBefore(found.key)) {
        slots.set(slot, null);
      }
    }
  }

  private static byte[] copy(byte[] value) {
    return value == null ? null : value.clone();
  }

  private static boolean fits(byte[] key, byte[] value) {
    return key.length + (value == null ? 0 : value.length) <= MAX_BYTES;
  }

  static int slot(byte[] key) {
    int hash = Arrays.hashCode(key);
    return (hash ^ hash >>> 11 ^ hash >>> 22) & (SLOTS - 1);
  }
}
