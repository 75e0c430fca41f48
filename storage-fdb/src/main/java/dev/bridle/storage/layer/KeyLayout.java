package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.StampedTuple;

/**
 * The whole key layout: every key is a tuple, {@code 0, SystemSpace, …} or {@code 1, tenant,
 * TenantSpace, …}, under one prefix. {@link EventKeys}, {@link QueueKeys} and {@link RecordKeys}
 * build and parse the keys that several classes use; every other key is built by the class that
 * stores its row.
 */
public final class KeyLayout {
  static final long SYSTEM = 0;
  static final long TENANT = 1;

  private final byte[] prefix;

  private KeyLayout(byte[] prefix) {
    this.prefix = prefix;
  }

  /** Returns the layout under no prefix. */
  public static KeyLayout root() {
    return new KeyLayout(new byte[0]);
  }

  /**
   * Returns the layout under {@code prefix}, which separates several installations on one cluster.
   */
  public static KeyLayout under(byte[] prefix) {
    return new KeyLayout(prefix.clone());
  }

  Tuple system(SystemSpace space) {
    return Tuple.from(SYSTEM, space.number());
  }

  Tuple tenant(String tenant, TenantSpace space) {
    return Tuple.from(TENANT, tenant, space.number());
  }

  /** Returns the tenant's whole subspace, for tenant deletion and skip scans. */
  Tuple tenants() {
    return Tuple.from(TENANT);
  }

  byte[] key(Tuple tuple) {
    return tuple.pack(prefix);
  }

  /** Packs a tuple with an incomplete versionstamp, followed by the stamp's offset. */
  byte[] stampedKey(Tuple tuple) {
    return StampedTuple.pack(tuple, prefix);
  }

  /** Returns the range of keys that extend {@code tuple}. */
  KeyRange children(Tuple tuple) {
    var range = tuple.range(prefix);
    return new KeyRange(range.begin, range.end);
  }

  /** Returns the range of keys that extend the items of {@code key}. */
  KeyRange children(byte[] key) {
    return new KeyRange(
        ByteArrayUtil.join(key, new byte[] {0}), ByteArrayUtil.join(key, new byte[] {(byte) 0xFF}));
  }

  /** Returns the key that extends {@code key} with a number. */
  byte[] child(byte[] key, long number) {
    return ByteArrayUtil.join(key, Tuple.from(number).pack());
  }

  /** Returns the children of {@code parent} whose next items sort after those of {@code last}. */
  KeyRange childrenAfter(Tuple parent, Tuple last) {
    return new KeyRange(children(last).end(), children(parent).end());
  }

  /** Returns how many bytes of a key are the prefix. */
  int prefixLength() {
    return prefix.length;
  }

  Tuple unpack(byte[] key) {
    return Tuple.fromBytes(key, prefix.length, key.length - prefix.length);
  }
}
