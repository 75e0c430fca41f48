package dev.bridle.storage.fdb;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.LimitCheck;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.StoreLimits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Adds the store's prefix to keys that are sent to the cluster, and removes it from results. */
@SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
record Subspace(byte[] prefix) {

  byte[] key(byte[] key) {
    LimitCheck.key(key);
    if (prefix.length + key.length > StoreLimits.MAX_KEY_BYTES) {
      throw new StoreException(
          Code.KEY_TOO_LARGE, "A key may have at most 10,000 bytes with the store's prefix.");
    }
    return prefixed(key);
  }

  KeyRange range(KeyRange range) {
    LimitCheck.range(range);
    return new KeyRange(prefixed(range.begin()), prefixed(range.end()));
  }

  /** Returns a key with a placeholder and its offset, both moved behind the prefix. */
  byte[] stampedKey(byte[] keyWithOffset) {
    int offset = LimitCheck.stampOffset(keyWithOffset);
    byte[] moved = key(keyWithOffset);
    ByteBuffer.wrap(moved)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(moved.length - Integer.BYTES, offset + prefix.length);
    return moved;
  }

  KeyValue pair(com.apple.foundationdb.KeyValue stored) {
    byte[] key = stored.getKey();
    return new KeyValue(Arrays.copyOfRange(key, prefix.length, key.length), stored.getValue());
  }

  private byte[] prefixed(byte[] key) {
    byte[] whole = Arrays.copyOf(prefix, prefix.length + key.length);
    System.arraycopy(key, 0, whole, prefix.length, key.length);
    return whole;
  }
}
