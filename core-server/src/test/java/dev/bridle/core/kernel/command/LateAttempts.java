package dev.bridle.core.kernel.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A store on which every command is tried twice: the first attempt seems to have timed out, its
 * retry commits, and only then does the first one reach the store.
 */
final class LateAttempts implements KeyValueStore {
  private final KeyValueStore store;
  private final List<Optional<Code>> late = new ArrayList<>();

  LateAttempts(KeyValueStore store) {
    this.store = store;
  }

  /** Returns what became of each first attempt: the code of its failure, or nothing: applied. */
  List<Optional<Code>> late() {
    return late;
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    return store.begin(options);
  }

  @Override
  public <T> T transact(TransactionOptions options, Function<Transaction, T> work) {
    try (Transaction first = store.begin(options)) {
      T unseen = work.apply(first);
      T result = store.transact(options, work);
      late.add(outcomeOf(first));
      assertThat(unseen).isNotNull();
      return result;
    }
  }

  private static Optional<Code> outcomeOf(Transaction transaction) {
    try {
      transaction.commit();
      return Optional.empty();
    } catch (StoreException e) {
      return Optional.of(e.code());
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
