package dev.bridle.storage;

import java.util.concurrent.CompletableFuture;

/**
 * A read-write transaction: strictly serializable, optimistic. Not thread-safe; must be closed
 * after use.
 *
 * <p>Writes are kept in memory until {@link #commit()} and are seen by later reads of the same
 * transaction. Writes throw {@link StoreException} with {@code KEY_TOO_LARGE}, {@code
 * VALUE_TOO_LARGE} or {@code TRANSACTION_TOO_LARGE} when a limit of {@link StoreLimits} is passed;
 * the last at commit at the latest.
 */
public interface Transaction extends ReadTransaction, AutoCloseable {

  /**
   * Returns a view whose reads add no read conflicts. It sees the same version and the same own
   * writes.
   */
  ReadTransaction snapshot();

  /** Stores {@code value} under {@code key}. */
  void set(byte[] key, byte[] value);

  /** Removes {@code key}, if present. */
  void clear(byte[] key);

  /** Removes every key of {@code range}. */
  void clear(KeyRange range);

  /**
   * Adds {@code delta} to the little-endian 64-bit number under {@code key}, absent being 0,
   * without reading it: two transactions that add to one key do not conflict.
   */
  void add(byte[] key, long delta);

  /**
   * Stores {@code value} under a key that gets the commit's 10-byte versionstamp written over the
   * placeholder.
   *
   * @param keyWithOffset the key, followed by the little-endian 32-bit offset of the 10-byte
   *     placeholder in it, as {@link StampedTuple} makes it
   */
  void setVersionstampedKey(byte[] keyWithOffset, byte[] value);

  /**
   * Stores a value that gets the commit's 10-byte versionstamp written over the placeholder.
   *
   * @param valueWithOffset the value, followed by the little-endian 32-bit offset of the
   *     placeholder in it
   */
  void setVersionstampedValue(byte[] key, byte[] valueWithOffset);

  /**
   * Makes this transaction conflict with every other one that writes into {@code range} before it
   * commits.
   */
  void addReadConflict(KeyRange range);

  /** Makes every other transaction that has read in {@code range} conflict with this one. */
  void addWriteConflict(KeyRange range);

  /**
   * Commits and returns once the outcome is known. On return every write is durable and visible to
   * any transaction that starts later. A transaction without writes and write conflicts always
   * succeeds.
   *
   * @throws StoreException {@code CONFLICT}: nothing was written; {@code TRANSACTION_TOO_OLD},
   *     {@code TRANSACTION_TOO_LARGE}: nothing was written; {@link StoreException#outcomeUnknown()}
   *     true: written or not, and after {@code TIMED_OUT} or {@code CANCELLED} perhaps written
   *     later than a retry
   */
  void commit();

  /**
   * Returns the 10-byte versionstamp of the commit; it completes when {@link #commit()} has
   * succeeded, and fails when the transaction wrote nothing. Must be called before the commit.
   */
  CompletableFuture<byte[]> versionstamp();

  /**
   * Returns a future that completes some time after the value under {@code key} differs from the
   * one that this transaction sees. It takes effect when the transaction commits; a change back may
   * be missed, several changes may be reported as one, and it may complete without any change. It
   * reads the key, so that a transaction which also writes conflicts with whoever changes it before
   * the commit. Cancel it when it is no longer needed. It fails with {@code WATCH_LIMIT} beyond the
   * engine's limit of watches, and with {@code STORE_CLOSED} when the store closes.
   */
  CompletableFuture<Void> watch(byte[] key);

  /** Closes the transaction: uncommitted writes have no effect. */
  @Override
  void close();
}
