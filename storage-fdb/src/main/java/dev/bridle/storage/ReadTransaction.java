package dev.bridle.storage;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads at one read version. All reads of a transaction see the same version, plus the
 * transaction's own earlier writes.
 *
 * <p>Reads of {@link Transaction} itself add read conflicts; those of {@link
 * Transaction#snapshot()} add none. Every read throws {@link StoreException}: {@code
 * TRANSACTION_TOO_OLD} when the transaction is older than the limit, {@code ACCESSED_UNREADABLE}
 * when it touches a key that the same transaction has stamped, {@code KEY_TOO_LARGE} for a key
 * beyond the limit, {@code TIMED_OUT} and {@code CANCELLED}.
 */
public interface ReadTransaction {

  /** Returns the value under {@code key}, waiting for it. */
  Optional<byte[]> get(byte[] key);

  /** Starts a read of {@code key}. On a cluster several of these share one round trip. */
  CompletableFuture<Optional<byte[]>> getAsync(byte[] key);

  /**
   * Returns up to {@code limit} pairs of {@code range} in key order, or from its end backwards.
   *
   * @param limit how many pairs at most, 1 or more; a longer scan continues after the last key it
   *     got
   * @param reverse whether to begin at the end of the range
   */
  List<KeyValue> getRange(KeyRange range, int limit, boolean reverse);

  /** Returns up to {@code limit} pairs of {@code range} in key order. */
  default List<KeyValue> getRange(KeyRange range, int limit) {
    return getRange(range, limit, false);
  }

  /**
   * Returns the version that this transaction reads at. Versions grow with every commit; they are
   * not a clock.
   */
  long readVersion();
}
