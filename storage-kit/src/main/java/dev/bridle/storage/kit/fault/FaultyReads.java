package dev.bridle.storage.kit.fault;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads that may be slow or fail. */
class FaultyReads implements ReadTransaction {
  private final FaultyStore store;
  private final ReadTransaction inner;

  FaultyReads(FaultyStore store, ReadTransaction inner) {
    this.store = store;
    this.inner = inner;
  }

  @Override
  public final Optional<byte[]> get(byte[] key) {
    store.read(OperationKind.GET);
    return inner.get(key);
  }

  @Override
  public final CompletableFuture<Optional<byte[]>> getAsync(byte[] key) {
    try {
      store.read(OperationKind.GET);
      return inner.getAsync(key);
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public final List<KeyValue> getRange(KeyRange range, int limit, boolean reverse) {
    store.read(OperationKind.GET_RANGE);
    return inner.getRange(range, limit, reverse);
  }

  @Override
  public final long readVersion() {
    store.read(OperationKind.READ_VERSION);
    return inner.readVersion();
  }
}
