package dev.bridle.storage.embedded;

import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Uncommitted writes on top of a snapshot: those of one transaction, for its own reads, or those of
 * a whole batch. Not thread-safe.
 */
final class WriteOverlay {
  private final TreeMap<byte[], Write> writes = new TreeMap<>(Arrays::compareUnsigned);
  private final SpanSet cleared = new SpanSet();
  private final SpanSet unreadable = new SpanSet();

  void set(byte[] key, byte[] value) {
    // As on FoundationDB, a stamped value stays unreadable until it is cleared.
    if (!(writes.get(key) instanceof Write.Stamped)) {
      writes.put(key, new Write.Value(value));
    }
  }

  void clear(byte[] key) {
    writes.put(key, Write.Cleared.INSTANCE);
  }

  void clear(Span range) {
    writes.subMap(range.begin(), true, range.end(), false).clear();
    cleared.add(range);
  }

  void add(byte[] key, long delta) {
    Write before = writes.get(key);
    if (before instanceof Write.Stamped) {
      return;
    }
    if (before instanceof Write.Added added) {
      writes.put(key, new Write.Added(added.delta() + delta));
    } else if (before instanceof Write.Value value) {
      set(key, AtomicAdd.apply(value.bytes(), delta));
    } else if (before != null || cleared.contains(key)) {
      set(key, AtomicAdd.apply(new byte[0], delta));
    } else {
      writes.put(key, new Write.Added(delta));
    }
  }

  void stampValue(byte[] key) {
    writes.put(key, Write.Stamped.INSTANCE);
  }

  /** Marks the range in which a stamped key may fall. */
  void stampKey(Span possible) {
    unreadable.add(possible);
  }

  /** Returns the last write to {@code key}, including a clear of a range that contains it. */
  Optional<Write> find(byte[] key) {
    Write write = writes.get(key);
    if (write != null) {
      return Optional.of(write);
    }
    return cleared.contains(key) ? Optional.of(Write.Cleared.INSTANCE) : Optional.empty();
  }

  /** Returns whether a read of {@code span} would touch an unknown versionstamp. */
  boolean isUnreadable(Span span) {
    if (unreadable.overlaps(span)) {
      return true;
    }
    return !span.isPoint()
        && within(span.begin(), span.end()).values().stream()
            .anyMatch(Write.Stamped.class::isInstance);
  }

  NavigableMap<byte[], Write> within(byte[] begin, byte[] end) {
    return writes.subMap(begin, true, end, false);
  }

  NavigableMap<byte[], Write> writes() {
    return writes;
  }

  SpanSet cleared() {
    return cleared;
  }
}
