package dev.bridle.storage.embedded;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.StoreLimits;
import java.util.Arrays;

/** Checks what callers hand in, and takes copies, since callers may use their arrays again. */
final class Arguments {
  private Arguments() {}

  static byte[] key(byte[] key) {
    if (key.length > StoreLimits.MAX_KEY_BYTES) {
      throw keyTooLarge();
    }
    if (key.length > 0 && key[0] == EngineRecords.RESERVED) {
      throw reserved();
    }
    return key.clone();
  }

  static byte[] value(byte[] value) {
    if (value.length > StoreLimits.MAX_VALUE_BYTES) {
      throw new StoreException(Code.VALUE_TOO_LARGE, "A value may have at most 100,000 bytes.");
    }
    return value.clone();
  }

  static Span range(KeyRange range) {
    // The end of the range of one longest key is a byte longer.
    int longest = StoreLimits.MAX_KEY_BYTES + 1;
    if (range.begin().length > longest || range.end().length > longest) {
      throw keyTooLarge();
    }
    Span span = new Span(range.begin().clone(), range.end().clone());
    if (Arrays.compareUnsigned(span.begin(), span.end()) > 0) {
      throw new StoreException(Code.INVALID_OPERATION, "A range must not end before it begins.");
    }
    if (Arrays.compareUnsigned(span.end(), new byte[] {EngineRecords.RESERVED}) > 0) {
      throw reserved();
    }
    return span;
  }

  static boolean isEmpty(Span span) {
    return Arrays.equals(span.begin(), span.end());
  }

  private static StoreException keyTooLarge() {
    return new StoreException(Code.KEY_TOO_LARGE, "A key may have at most 10,000 bytes.");
  }

  private static StoreException reserved() {
    return new StoreException(
        Code.INVALID_OPERATION, "Keys that begin with 0xFF belong to the store itself.");
  }
}
