package dev.bridle.storage.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rocksdb.RocksDBException;

/**
 * The writes of all transactions of one batch, merged: each key is written once, with additions
 * applied.
 */
final class BatchMerge {
  /** Up to this many keys are deleted singly, since a range tombstone slows later reads. */
  private static final int MAX_SINGLE_DELETES = 256;

  private final WriteOverlay merged = new WriteOverlay();
  private final SpanSet written = new SpanSet();
  private int transactions;

  /** Adds one transaction's writes and returns its number in the batch. */
  int add(CommitRequest request, long version) {
    int number = transactions++;
    byte[] stamp = Stamps.stamp(version, number);
    for (Mutation mutation : request.mutations()) {
      mutation.applyTo(merged, written, stamp);
    }
    request.writeConflicts().forEach(written::add);
    return number;
  }

  boolean conflicts(List<Span> reads) {
    for (Span read : reads) {
      if (written.overlaps(read)) {
        return true;
      }
    }
    return false;
  }

  boolean isEmpty() {
    return transactions == 0;
  }

  SpanSet written() {
    return written;
  }

  /** Writes the merged result; {@code latest} is the state before this batch. */
  void writeTo(BatchWriter batch, PublishedVersion latest) throws RocksDBException {
    List<Span> ranges = new ArrayList<>();
    merged.cleared().forEach(ranges::add);
    for (Span range : ranges) {
      clear(batch, latest, range);
    }
    for (Map.Entry<byte[], Write> entry : merged.writes().entrySet()) {
      byte[] key = entry.getKey();
      if (entry.getValue() instanceof Write.Value value) {
        batch.put(key, value.bytes());
      } else if (entry.getValue() instanceof Write.Added added) {
        byte[] before = latest.get(key);
        batch.put(key, AtomicAdd.apply(before == null ? new byte[0] : before, added.delta()));
      } else {
        batch.delete(key);
      }
    }
  }

  private static void clear(BatchWriter batch, PublishedVersion latest, Span range)
      throws RocksDBException {
    List<byte[]> keys = latest.read(range, BatchMerge::firstKeys);
    if (keys.size() > MAX_SINGLE_DELETES) {
      batch.deleteRange(range.begin(), range.end());
      return;
    }
    for (byte[] key : keys) {
      batch.delete(key);
    }
  }

  private static List<byte[]> firstKeys(StoredKeys stored) {
    List<byte[]> keys = new ArrayList<>();
    while (stored.isValid() && keys.size() <= MAX_SINGLE_DELETES) {
      keys.add(stored.key());
      stored.next();
    }
    return keys;
  }
}
