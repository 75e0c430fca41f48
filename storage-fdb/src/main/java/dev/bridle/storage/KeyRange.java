package dev.bridle.storage;

import com.apple.foundationdb.tuple.ByteArrayUtil;

/**
 * A range of keys in unsigned byte order.
 *
 * @param begin the first key of the range, inclusive
 * @param end the key after the last one, exclusive
 */
@SuppressWarnings("ArrayRecordComponent") // Ranges are arguments, never map keys.
public record KeyRange(byte[] begin, byte[] end) {

  /** Returns the range of the keys that start with {@code prefix}, the prefix itself included. */
  public static KeyRange startsWith(byte[] prefix) {
    return new KeyRange(prefix, ByteArrayUtil.strinc(prefix));
  }

  /** Returns the range that holds exactly {@code key}. */
  public static KeyRange single(byte[] key) {
    return new KeyRange(key, after(key));
  }

  /** Returns the first key that sorts after {@code key}. */
  public static byte[] after(byte[] key) {
    return ByteArrayUtil.join(key, new byte[] {0});
  }

  /** Returns this range without its keys up to and including {@code key}. */
  public KeyRange after(byte[] key, boolean reverse) {
    return reverse ? new KeyRange(begin, key) : new KeyRange(after(key), end);
  }
}
