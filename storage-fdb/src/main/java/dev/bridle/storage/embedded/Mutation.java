package dev.bridle.storage.embedded;

import java.util.Arrays;

/** A write of a transaction, as the committer applies it. */
@SuppressWarnings("ArrayRecordComponent")
sealed interface Mutation {

  /** Applies this to a batch and returns the keys that it writes. */
  void applyTo(WriteOverlay batch, SpanSet written, byte[] stamp);

  /** Returns how many bytes of keys and values it stores; 0 for a deletion. */
  default long storedBytes() {
    return 0;
  }

  /** Stores a value. */
  record Set(byte[] key, byte[] value) implements Mutation {
    @Override
    public long storedBytes() {
      return (long) key.length + value.length;
    }

    @Override
    public void applyTo(WriteOverlay batch, SpanSet written, byte[] stamp) {
      batch.set(key, value);
      written.add(Span.point(key));
    }
  }

  /** Removes a key. */
  record Clear(byte[] key) implements Mutation {
    @Override
    public void applyTo(WriteOverlay batch, SpanSet written, byte[] stamp) {
      batch.clear(key);
      written.add(Span.point(key));
    }
  }

  /** Removes a range of keys. */
  record ClearRange(Span range) implements Mutation {
    @Override
    public void applyTo(WriteOverlay batch, SpanSet written, byte[] stamp) {
      batch.clear(range);
      written.add(range);
    }
  }

  /** Adds to a number. */
  record Add(byte[] key, long delta) implements Mutation {
    @Override
    public long storedBytes() {
      return (long) key.length + Long.BYTES;
    }

    @Override
    public void applyTo(WriteOverlay batch, SpanSet written, byte[] stamp) {
      batch.add(key, delta);
      written.add(Span.point(key));
    }
  }

  /** Stores a value under a key with the stamp at {@code offset}. */
  record StampedKey(byte[] key, int offset, byte[] value) implements Mutation {
    @Override
    public long storedBytes() {
      return (long) key.length + value.length;
    }

    @Override
    public void applyTo(WriteOverlay batch, SpanSet written, byte[] stamp) {
      byte[] patched = patch(key, offset, stamp);
      batch.set(patched, value);
      written.add(Span.point(patched));
    }
  }

  /** Stores a value with the stamp at {@code offset}. */
  record StampedValue(byte[] key, byte[] value, int offset) implements Mutation {
    @Override
    public long storedBytes() {
      return (long) key.length + value.length;
    }

    @Override
    public void applyTo(WriteOverlay batch, SpanSet written, byte[] stamp) {
      batch.set(key, patch(value, offset, stamp));
      written.add(Span.point(key));
    }
  }

  private static byte[] patch(byte[] template, int offset, byte[] stamp) {
    byte[] patched = Arrays.copyOf(template, template.length);
    System.arraycopy(stamp, 0, patched, offset, stamp.length);
    return patched;
  }
}
