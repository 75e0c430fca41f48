package dev.bridle.storage.kit.count;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads that are counted. */
class CountingReads implements ReadTransaction {
  private final CountingStore store;
  private final ReadTransaction inner;

  CountingReads(CountingStore store, ReadTransaction inner) {
    this.store = store;
    this.inner = inner;
  }

  @Override
  public final Optional<byte[]> get(byte[] key) {
    store.got();
    return inner.get(key);
  }

  @Override
  public final CompletableFuture<Optional<byte[]>> getAsync(byte[] key) {
    store.got();
    return inner.getAsync(key);
  }

  @Override
  public final List<KeyValue> getRange(KeyRange range, int limit, boolean reverse) {
    store.gotRange();
    return inner.getRange(range, limit, reverse);
  }

  @Override
  public final long readVersion() {
    return inner.readVersion();
  }
}
