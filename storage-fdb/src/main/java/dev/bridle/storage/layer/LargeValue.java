package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Values that may be larger than the store's limit. The first byte under the key encodes how many
 * chunks follow under {@code key, 1}, {@code key, 2}, …; the rest is the beginning of the value.
 */
final class LargeValue {
  /** Well below the limit of 100,000 bytes. */
  private static final int CHUNK_BYTES = 90_000;

  private static final int MAX_CHUNKS = 100;

  private final KeyLayout layout;

  LargeValue(KeyLayout layout) {
    this.layout = layout;
  }

  /** Splits a value: the first element goes under the key itself. */
  static byte[][] split(byte[] value) {
    int further = furtherChunks(value.length);
    if (further > MAX_CHUNKS) {
      throw new IllegalArgumentException("a value of " + value.length + " bytes is too large");
    }
    byte[][] chunks = new byte[further + 1][];
    chunks[0] = new byte[1 + Math.min(value.length, CHUNK_BYTES)];
    chunks[0][0] = (byte) further;
    System.arraycopy(value, 0, chunks[0], 1, chunks[0].length - 1);
    for (int i = 1; i <= further; i++) {
      chunks[i] =
          Arrays.copyOfRange(value, i * CHUNK_BYTES, Math.min(value.length, (i + 1) * CHUNK_BYTES));
    }
    return chunks;
  }

  /** Replaces a value that had {@code chunksBefore} further chunks. */
  void set(Transaction tr, byte[] key, byte[] value, int chunksBefore) {
    byte[][] chunks = split(value);
    if (chunksBefore > 0) {
      tr.clear(layout.children(key));
    }
    tr.set(key, chunks[0]);
    for (int i = 1; i < chunks.length; i++) {
      tr.set(layout.child(key, i), chunks[i]);
    }
  }

  /**
   * Stores a new value under a key that the commit stamps.
   *
   * @param key the key, with an incomplete versionstamp
   */
  void insertStamped(Transaction tr, Tuple key, byte[] value) {
    byte[][] chunks = split(value);
    tr.setVersionstampedKey(layout.stampedKey(key), chunks[0]);
    for (int i = 1; i < chunks.length; i++) {
      tr.setVersionstampedKey(layout.stampedKey(key.add(i)), chunks[i]);
    }
  }

  void clear(Transaction tr, byte[] key) {
    tr.clear(key);
    tr.clear(layout.children(key));
  }

  /** Returns how many further chunks a value of a length takes. */
  static int furtherChunks(int length) {
    return length <= CHUNK_BYTES ? 0 : (length - 1) / CHUNK_BYTES;
  }

  /** Returns how many further chunks a stored value has, from what lies under its key. */
  static int furtherChunks(byte[] first) {
    return Byte.toUnsignedInt(first[0]);
  }

  CompletableFuture<Optional<byte[]>> getAsync(ReadTransaction tr, byte[] key) {
    return tr.getAsync(key).thenApply(first -> first.map(f -> join(tr, key, f)));
  }

  Optional<byte[]> get(ReadTransaction tr, byte[] key) {
    return tr.get(key).map(first -> join(tr, key, first));
  }

  /** Returns the whole value whose beginning is {@code first}. */
  byte[] join(ReadTransaction tr, byte[] key, byte[] first) {
    int further = furtherChunks(first);
    if (further == 0) {
      return Arrays.copyOfRange(first, 1, first.length);
    }
    List<KeyValue> rest = tr.getRange(layout.children(key), further);
    if (rest.size() != further) {
      throw new IllegalStateException("a stored value lacks chunks");
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(first, 1, first.length - 1);
    rest.forEach(chunk -> whole.writeBytes(chunk.value()));
    return whole.toByteArray();
  }
}
