package dev.bridle.storage.embedded;

import dev.bridle.storage.KeyRange;
import java.util.Arrays;

/**
 * A single key or a range of keys. A single key has one array for both ends, which saves a second
 * array for each of the millions of keys in the conflict window.
 */
@SuppressWarnings("ArrayRecordComponent")
record Span(byte[] begin, byte[] end) {

  static Span point(byte[] key) {
    return new Span(key, key);
  }

  static Span of(KeyRange range) {
    return new Span(range.begin(), range.end());
  }

  @SuppressWarnings("ReferenceEquality") // Sharing the array is what marks a single key.
  static boolean isPoint(byte[] begin, byte[] end) {
    return begin == end;
  }

  /** Returns whether the span from {@code begin} to {@code end} lies wholly before {@code key}. */
  static boolean endsBefore(byte[] begin, byte[] end, byte[] key) {
    int order = Arrays.compareUnsigned(end, key);
    return isPoint(begin, end) ? order < 0 : order <= 0;
  }

  boolean endsBefore(byte[] key) {
    return endsBefore(begin, end, key);
  }

  boolean isPoint() {
    return isPoint(begin, end);
  }

  int bytes() {
    return isPoint() ? begin.length : begin.length + end.length;
  }
}
