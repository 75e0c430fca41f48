package dev.bridle.storage.kit.count;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.RetryLoop;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** A store that counts what is done to it. Closing this leaves the store beneath open. */
public final class CountingStore implements KeyValueStore {
  private final KeyValueStore store;
  private final RetryLoop retryLoop = RetryLoop.standard(this::begin);
  private final LongAdder transactions = new LongAdder();
  private final LongAdder sets = new LongAdder();
  private final LongAdder adds = new LongAdder();
  private final LongAdder clears = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder gets = new LongAdder();
  private final LongAdder ranges = new LongAdder();

  /**
   * Creates a store that counts.
   *
   * @param store what the transactions run on
   */
  public CountingStore(KeyValueStore store) {
    this.store = store;
  }

  /** Returns what has been done so far. */
  public Cost cost() {
    return new Cost(
        transactions.sum(),
        sets.sum(),
        adds.sum(),
        clears.sum(),
        bytes.sum(),
        gets.sum(),
        ranges.sum());
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    return new CountingTransaction(this, store.begin(options));
  }

  @Override
  public <T> T transact(TransactionOptions options, Function<Transaction, T> work) {
    return retryLoop.run(options, work);
  }

  @Override
  public CompletableFuture<StoreException> failure() {
    return store.failure();
  }

  @Override
  public void close() {}

  void committed() {
    transactions.increment();
  }

  void set(int length) {
    sets.increment();
    bytes.add(length);
  }

  void added() {
    adds.increment();
  }

  void cleared() {
    clears.increment();
  }

  void got() {
    gets.increment();
  }

  void gotRange() {
    ranges.increment();
  }
}
