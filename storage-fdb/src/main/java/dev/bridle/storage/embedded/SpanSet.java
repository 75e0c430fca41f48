package dev.bridle.storage.embedded;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A set of non-overlapping keys and key ranges. Not thread-safe. */
final class SpanSet {
  private final TreeMap<byte[], byte[]> ends = new TreeMap<>(Arrays::compareUnsigned);

  boolean isEmpty() {
    return ends.isEmpty();
  }

  int size() {
    return ends.size();
  }

  void add(Span span) {
    Map.Entry<byte[], byte[]> before = ends.floorEntry(span.begin());
    boolean joins =
        before != null && !Span.endsBefore(before.getKey(), before.getValue(), span.begin());
    if (span.isPoint()) {
      if (!joins) {
        ends.put(span.begin(), span.end());
      }
      return;
    }
    byte[] begin = span.begin();
    byte[] end = span.end();
    if (Arrays.compareUnsigned(begin, end) >= 0) {
      return;
    }
    if (joins && !Span.isPoint(before.getKey(), before.getValue())) {
      begin = before.getKey();
      end = later(end, before.getValue());
    }
    NavigableMap<byte[], byte[]> inside = ends.subMap(begin, true, end, false);
    Map.Entry<byte[], byte[]> last = inside.lastEntry();
    if (last != null) {
      end = later(end, last.getValue());
    }
    inside.clear();
    ends.put(begin, end);
  }

  boolean overlaps(Span span) {
    boolean empty = !span.isPoint() && Arrays.compareUnsigned(span.begin(), span.end()) >= 0;
    return !empty && (covering(span.begin()).isPresent() || startsWithin(span));
  }

  boolean contains(byte[] key) {
    return covering(key).isPresent();
  }

  /** Returns the span that {@code key} lies in. */
  Optional<Span> covering(byte[] key) {
    Map.Entry<byte[], byte[]> floor = ends.floorEntry(key);
    return floor == null || Span.endsBefore(floor.getKey(), floor.getValue(), key)
        ? Optional.empty()
        : Optional.of(new Span(floor.getKey(), floor.getValue()));
  }

  void forEach(Consumer<Span> action) {
    ends.forEach((begin, end) -> action.accept(new Span(begin, end)));
  }

  private boolean startsWithin(Span span) {
    byte[] next = ends.higherKey(span.begin());
    return next != null && !span.endsBefore(next);
  }

  private static byte[] later(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b) >= 0 ? a : b;
  }
}
