package dev.bridle.storage.embedded;

import dev.bridle.storage.KeyValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/** A range read: merges the stored pairs of a version with a transaction's own writes. */
final class RangeScan {
  private final PublishedVersion published;
  private final WriteOverlay overlay;
  private final Span span;
  private final int limit;
  private final boolean reverse;

  RangeScan(
      PublishedVersion published, WriteOverlay overlay, Span span, int limit, boolean reverse) {
    this.published = published;
    this.overlay = overlay;
    this.span = span;
    this.limit = limit;
    this.reverse = reverse;
  }

  List<KeyValue> run() {
    return published.read(
        span,
        stored -> {
          if (reverse) {
            stored.seekToLast();
          }
          return merge(stored);
        });
  }

  private List<KeyValue> merge(StoredKeys stored) {
    List<KeyValue> pairs = new ArrayList<>();
    NavigableMap<byte[], Write> inRange = overlay.within(span.begin(), span.end());
    Iterator<Map.Entry<byte[], Write>> own =
        (reverse ? inRange.descendingMap() : inRange).entrySet().iterator();
    Map.Entry<byte[], Write> write = own.hasNext() ? own.next() : null;
    byte[] key = nextStored(stored);
    while (pairs.size() < limit && (write != null || key != null)) {
      int order = order(write, key);
      if (order > 0) {
        pairs.add(new KeyValue(key, stored.value()));
      } else {
        byte[] value = valueOf(write.getValue(), order == 0 ? stored.value() : new byte[0]);
        if (value != null) {
          pairs.add(new KeyValue(write.getKey().clone(), value));
        }
        write = own.hasNext() ? own.next() : null;
      }
      if (order >= 0) {
        step(stored);
        key = nextStored(stored);
      }
    }
    return pairs;
  }

  /** Returns the next stored key that the transaction has not cleared, skipping cleared ranges. */
  private byte[] nextStored(StoredKeys stored) {
    while (stored.isValid()) {
      byte[] key = stored.key();
      Optional<Span> cleared = overlay.cleared().covering(key);
      if (cleared.isEmpty() || overlay.writes().containsKey(key)) {
        return key;
      }
      if (reverse) {
        stored.seekBefore(cleared.get().begin());
      } else {
        stored.seek(cleared.get().end());
      }
    }
    return null;
  }

  private void step(StoredKeys stored) {
    if (reverse) {
      stored.previous();
    } else {
      stored.next();
    }
  }

  private int order(Map.Entry<byte[], Write> write, byte[] key) {
    if (write == null) {
      return 1;
    }
    if (key == null) {
      return -1;
    }
    int order = Arrays.compareUnsigned(write.getKey(), key);
    return reverse ? -order : order;
  }

  private static byte[] valueOf(Write write, byte[] stored) {
    if (write instanceof Write.Value value) {
      return value.bytes().clone();
    }
    return write instanceof Write.Added added ? AtomicAdd.apply(stored, added.delta()) : null;
  }
}
