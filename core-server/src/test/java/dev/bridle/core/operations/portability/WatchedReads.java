package dev.bridle.core.operations.portability;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A store that counts what each reading transaction asks for and reads, and does something between
 * two.
 */
final class WatchedReads implements KeyValueStore {
  private final KeyValueStore store;
  private final Runnable afterFirst;
  private final List<Integer> asked = new ArrayList<>();
  private final List<Long> bytes = new ArrayList<>();

  WatchedReads(KeyValueStore store, Runnable afterFirst) {
    this.store = store;
    this.afterFirst = afterFirst;
  }

  /** Returns how many keys and ranges each transaction has asked for, in their order. */
  List<Integer> asked() {
    return asked;
  }

  /** Returns how many bytes of values each transaction has read, in their order. */
  List<Long> bytes() {
    return bytes;
  }

  @Override
  public <T> T read(Function<ReadTransaction, T> work) {
    boolean first = asked.isEmpty();
    T result =
        store.read(
            tr -> {
              Counted counted = new Counted(tr);
              T read = work.apply(counted);
              asked.add(counted.asked);
              bytes.add(counted.bytes.get());
              return read;
            });
    if (first) {
      afterFirst.run();
    }
    return result;
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    return store.begin(options);
  }

  @Override
  public <T> T transact(TransactionOptions options, Function<Transaction, T> work) {
    return store.transact(options, work);
  }

  @Override
  public void close() {
    store.close();
  }

  private static final class Counted implements ReadTransaction {
    private final ReadTransaction tr;
    private final AtomicLong bytes = new AtomicLong();
    private int asked;

    Counted(ReadTransaction tr) {
      this.tr = tr;
    }

    @Override
    public Optional<byte[]> get(byte[] key) {
      asked++;
      return counted(tr.get(key));
    }

    @Override
    public CompletableFuture<Optional<byte[]>> getAsync(byte[] key) {
      asked++;
      return tr.getAsync(key).thenApply(this::counted);
    }

    @Override
    public List<KeyValue> getRange(KeyRange range, int limit, boolean reverse) {
      asked++;
      List<KeyValue> rows = tr.getRange(range, limit, reverse);
      rows.forEach(row -> bytes.addAndGet(row.value().length));
      return rows;
    }

    private Optional<byte[]> counted(Optional<byte[]> value) {
      value.ifPresent(read -> bytes.addAndGet(read.length));
      return value;
    }

    @Override
    public long readVersion() {
      return tr.readVersion();
    }
  }
}
