package dev.bridle.storage.kit;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A transaction whose commit may fail although, or before, it is applied. */
final class FaultyTransaction implements Transaction {
  private final Transaction inner;
  private final Supplier<Fault> plan;
  private final CompletableFuture<byte[]> stamp = new CompletableFuture<>();
  private Optional<CompletableFuture<byte[]>> innerStamp = Optional.empty();
  private boolean writes;

  FaultyTransaction(Transaction inner, Supplier<Fault> plan) {
    this.inner = inner;
    this.plan = plan;
  }

  @Override
  public void commit() {
    Fault fault = writes ? plan.get() : Fault.NONE;
    try {
      if (fault.applies()) {
        inner.commit();
      }
      if (fault != Fault.NONE) {
        throw new StoreException(fault.code(), "A fault that a test has planned.");
      }
      innerStamp.ifPresent(known -> stamp.complete(known.join()));
    } catch (StoreException e) {
      stamp.completeExceptionally(e);
      throw e;
    }
  }

  @Override
  public CompletableFuture<byte[]> versionstamp() {
    if (innerStamp.isEmpty()) {
      innerStamp = Optional.of(inner.versionstamp());
    }
    return stamp;
  }

  @Override
  public ReadTransaction snapshot() {
    return inner.snapshot();
  }

  @Override
  public Optional<byte[]> get(byte[] key) {
    return inner.get(key);
  }

  @Override
  public CompletableFuture<Optional<byte[]>> getAsync(byte[] key) {
    return inner.getAsync(key);
  }

  @Override
  public List<KeyValue> getRange(KeyRange range, int limit, boolean reverse) {
    return inner.getRange(range, limit, reverse);
  }

  @Override
  public long readVersion() {
    return inner.readVersion();
  }

  @Override
  public void set(byte[] key, byte[] value) {
    writes = true;
    inner.set(key, value);
  }

  @Override
  public void clear(byte[] key) {
    writes = true;
    inner.clear(key);
  }

  @Override
  public void clear(KeyRange range) {
    writes = true;
    inner.clear(range);
  }

  @Override
  public void add(byte[] key, long delta) {
    writes = true;
    inner.add(key, delta);
  }

  @Override
  public void setVersionstampedKey(byte[] keyWithOffset, byte[] value) {
    writes = true;
    inner.setVersionstampedKey(keyWithOffset, value);
  }

  @Override
  public void setVersionstampedValue(byte[] key, byte[] valueWithOffset) {
    writes = true;
    inner.setVersionstampedValue(key, valueWithOffset);
  }

  @Override
  public void addReadConflict(KeyRange range) {
    inner.addReadConflict(range);
  }

  @Override
  public void addWriteConflict(KeyRange range) {
    writes = true;
    inner.addWriteConflict(range);
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
