package dev.bridle.storage;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * An ordered key-value store with FoundationDB's semantics: strict serializability, optimistic
 * conflicts on what was read, versionstamps, atomic add, watches, and the limits of {@link
 * StoreLimits}. Safe for many threads.
 */
public interface KeyValueStore extends AutoCloseable {

  /** Starts one transaction. The caller commits it, handles its failure, and closes it. */
  Transaction begin(TransactionOptions options);

  /**
   * Runs {@code work} in a transaction and commits it, retrying after every retriable failure.
   *
   * <p>The work may run more than once, and an earlier attempt may have been applied although it
   * failed. So it must leak no state between attempts, must generate its ids and random values
   * outside, and must read with a conflict (never by snapshot) the record that shows whether it has
   * been applied already.
   *
   * <p>{@code COMMIT_UNKNOWN} (1021) and {@code CLUSTER_CHANGED} (1039) are retried: such an
   * attempt was applied or not, and can't be applied later. {@code TIMED_OUT} (1031), {@code
   * CANCELLED} (1025) and {@code OPERATION_CANCELLED} (1101) are thrown: such an attempt was
   * applied or not, unknown, and may still be, even after the caller has tried again.
   *
   * @throws StoreException the last failure, when it is not retriable or attempts or time are used
   *     up
   */
  <T> T transact(TransactionOptions options, Function<Transaction, T> work);

  /**
   * Runs {@code work} with {@link TransactionOptions#DEFAULT}; see {@link
   * #transact(TransactionOptions, Function)}.
   */
  default <T> T transact(Function<Transaction, T> work) {
    return transact(TransactionOptions.DEFAULT, work);
  }

  /**
   * Reads at one version, without conflicts and without a commit. The work may run more than once.
   */
  default <T> T read(Function<ReadTransaction, T> work) {
    return transact(tr -> work.apply(tr.snapshot()));
  }

  /**
   * Returns a future that completes with the cause once the store must be reopened before it can
   * commit again; it never completes for engines that recover by themselves.
   */
  default CompletableFuture<StoreException> failure() {
    return new CompletableFuture<>();
  }

  /** Rejects new transactions, waits for commits in flight, and releases the store. */
  @Override
  void close();
}
