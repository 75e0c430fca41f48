package dev.bridle.storage.kit.count;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.concurrent.CompletableFuture;

/** A transaction whose operations are counted. */
final class CountingTransaction extends CountingReads implements Transaction {
  private final CountingStore store;
  private final Transaction inner;
  private boolean writes;

  CountingTransaction(CountingStore store, Transaction inner) {
    super(store, inner);
    this.store = store;
    this.inner = inner;
  }

  @Override
  public ReadTransaction snapshot() {
    return new CountingReads(store, inner.snapshot());
  }

  @Override
  public void set(byte[] key, byte[] value) {
    countSet(key, value);
    inner.set(key, value);
  }

  @Override
  public void setVersionstampedKey(byte[] keyWithOffset, byte[] value) {
    countSet(keyWithOffset, value);
    inner.setVersionstampedKey(keyWithOffset, value);
  }

  @Override
  public void setVersionstampedValue(byte[] key, byte[] valueWithOffset) {
    countSet(key, valueWithOffset);
    inner.setVersionstampedValue(key, valueWithOffset);
  }

  private void countSet(byte[] key, byte[] value) {
    writes = true;
    store.set(key.length + value.length);
  }

  @Override
  public void clear(byte[] key) {
    writes = true;
    store.cleared();
    inner.clear(key);
  }

  @Override
  public void clear(KeyRange range) {
    writes = true;
    store.cleared();
    inner.clear(range);
  }

  @Override
  public void add(byte[] key, long delta) {
    writes = true;
    store.added();
    inner.add(key, delta);
  }

  @Override
  public void addReadConflict(KeyRange range) {
    inner.addReadConflict(range);
  }

  @Override
  public void addWriteConflict(KeyRange range) {
    inner.addWriteConflict(range);
  }

  @Override
  public void commit() {
    inner.commit();
    if (writes) {
      store.committed();
    }
  }

  @Override
  public CompletableFuture<byte[]> versionstamp() {
    return inner.versionstamp();
  }

  @Override
  public CompletableFuture<Void> watch(byte[] key) {
    return inner.watch(key);
  }

  @Override
  public void close() {
    inner.close();
  }
}
