package dev.bridle.storage.kit;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.RetryLoop;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A store whose commits fail as a plan says, the way a cluster's do: to see whether what runs on it
 * applies every command once. Transactions that write nothing never fail. Closing it leaves the
 * store beneath open.
 */
public final class FaultyStore implements KeyValueStore {
  private final KeyValueStore store;
  private final Supplier<Fault> plan;
  private final RetryLoop retryLoop = RetryLoop.standard(this::begin);

  /**
   * @param store what the transactions really run on
   * @param plan is asked once for each commit that writes, perhaps by several threads at once
   */
  public FaultyStore(KeyValueStore store, Supplier<Fault> plan) {
    this.store = store;
    this.plan = plan;
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    return new FaultyTransaction(store.begin(options), plan);
  }

  @Override
  public <T> T transact(TransactionOptions options, Function<Transaction, T> work) {
    return retryLoop.run(options, work);
  }

  @Override
  public void close() {}
}
