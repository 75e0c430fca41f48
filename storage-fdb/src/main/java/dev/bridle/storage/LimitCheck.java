package dev.bridle.storage;

import dev.bridle.storage.StoreException.Code;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Checks the limits that all engines share, with the same error messages for all. */
public final class LimitCheck {
  /** Keys from this byte on are reserved for the engines. */
  private static final byte RESERVED = (byte) 0xFF;

  private static final byte[] FIRST_RESERVED = {RESERVED};

  private LimitCheck() {}

  /**
   * Checks a key.
   *
   * @throws StoreException {@code KEY_TOO_LARGE}, or {@code INVALID_OPERATION} for a reserved key
   */
  public static void key(byte[] key) {
    if (key.length > StoreLimits.MAX_KEY_BYTES) {
      throw keyTooLarge();
    }
    if (key.length > 0 && key[0] == RESERVED) {
      throw reserved();
    }
  }

  /**
   * Checks a value.
   *
   * @throws StoreException {@code VALUE_TOO_LARGE}
   */
  public static void value(byte[] value) {
    if (value.length > StoreLimits.MAX_VALUE_BYTES) {
      throw new StoreException(Code.VALUE_TOO_LARGE, "A value may have at most 100,000 bytes.");
    }
  }

  /**
   * Checks a range.
   *
   * @throws StoreException {@code KEY_TOO_LARGE}, or {@code INVALID_OPERATION} for a range that
   *     ends before it begins or holds reserved keys
   */
  public static void range(KeyRange range) {
    // The end of the range of one longest key is a byte longer.
    int longest = StoreLimits.MAX_KEY_BYTES + 1;
    if (range.begin().length > longest || range.end().length > longest) {
      throw keyTooLarge();
    }
    if (Arrays.compareUnsigned(range.begin(), range.end()) > 0) {
      throw new StoreException(Code.INVALID_OPERATION, "A range must not end before it begins.");
    }
    if (Arrays.compareUnsigned(range.end(), FIRST_RESERVED) > 0) {
      throw reserved();
    }
  }

  /**
   * Checks a limit of a range read.
   *
   * @throws StoreException {@code INVALID_OPERATION} below 1
   */
  public static void rows(int limit) {
    if (limit < 1) {
      throw new StoreException(Code.INVALID_OPERATION, "A range read needs a limit of 1 or more.");
    }
  }

  /**
   * Returns where the placeholder of a versionstamp lies in a key or value that ends in its offset.
   *
   * @throws StoreException {@code INVALID_OPERATION} when the placeholder would not fit there
   */
  public static int stampOffset(byte[] withOffset) {
    int length = withOffset.length - Integer.BYTES;
    if (length < StoreLimits.VERSIONSTAMP_BYTES) {
      throw badOffset();
    }
    int offset =
        ByteBuffer.wrap(withOffset, length, Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (offset < 0 || offset > length - StoreLimits.VERSIONSTAMP_BYTES) {
      throw badOffset();
    }
    return offset;
  }

  /** Returns the error of a transaction beyond {@link StoreLimits#MAX_TRANSACTION_BYTES}. */
  public static StoreException transactionTooLarge() {
    return new StoreException(
        Code.TRANSACTION_TOO_LARGE, "A transaction may have at most 10,000,000 bytes.");
  }

  private static StoreException keyTooLarge() {
    return new StoreException(Code.KEY_TOO_LARGE, "A key may have at most 10,000 bytes.");
  }

  private static StoreException reserved() {
    return new StoreException(
        Code.INVALID_OPERATION, "Keys that begin with 0xFF belong to the store itself.");
  }

  private static StoreException badOffset() {
    return new StoreException(
        Code.INVALID_OPERATION,
        "The offset of a versionstamp must leave room for its 10 bytes before the suffix.");
  }
}
