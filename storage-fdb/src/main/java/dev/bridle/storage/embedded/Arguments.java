package dev.bridle.storage.embedded;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.LimitCheck;
import java.util.Arrays;

/** Checks and copies arguments, since callers may reuse their arrays. */
final class Arguments {
  private Arguments() {}

  static byte[] key(byte[] key) {
    LimitCheck.key(key);
    return key.clone();
  }

  static byte[] value(byte[] value) {
    LimitCheck.value(value);
    return value.clone();
  }

  static Span range(KeyRange range) {
    LimitCheck.range(range);
    return new Span(range.begin().clone(), range.end().clone());
  }

  static boolean isEmpty(Span span) {
    return Arrays.equals(span.begin(), span.end());
  }
}
