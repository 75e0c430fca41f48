package dev.bridle.storage.kit.fault;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.kit.fault.FaultyStore.Planned;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A transaction whose commit may fail although, before, or long before it is applied. */
final class FaultyTransaction extends FaultyReads implements Transaction {
  private final FaultyStore store;
  private final Transaction inner;
  private final CompletableFuture<byte[]> stamp = new CompletableFuture<>();
  private final List<FaultyWatch> watches = new ArrayList<>();
  private Optional<CompletableFuture<byte[]>> innerStamp = Optional.empty();
  private boolean writes;
  private boolean underway;

  FaultyTransaction(FaultyStore store, Transaction inner) {
    super(store, inner);
    this.store = store;
    this.inner = inner;
  }

  @Override
  public void commit() {
    try {
      Planned planned = store.step(OperationKind.COMMIT, writes);
      Fault fault = planned.fault();
      switch (fault.fate()) {
        case APPLIED -> inner.commit();
        case LATE -> {
          underway = true;
          store.later(inner, planned.operation());
        }
        case LOST -> {}
      }
      if (fault == Fault.CRASH_ONCE_APPLIED) {
        store.crash();
      }
      if (writes && fault.fate() == Fault.Fate.APPLIED) {
        store.committed();
      }
      if (fault.code().isPresent()) {
        throw FaultyStore.failure(fault.code().get());
      }
      innerStamp.ifPresent(this::publishStamp);
      watches.forEach(FaultyWatch::armed);
    } catch (StoreException | SimulatedCrash e) {
      stamp.completeExceptionally(e);
      throw e;
    }
  }

  private void publishStamp(CompletableFuture<byte[]> known) {
    var unused =
        known.whenComplete(
            (bytes, failure) -> {
              if (failure == null) {
                stamp.complete(bytes);
              } else {
                stamp.completeExceptionally(failure);
              }
            });
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
    return new FaultyReads(store, inner.snapshot());
  }

  @Override
  public void set(byte[] key, byte[] value) {
    write(OperationKind.SET, () -> inner.set(key, value));
  }

  @Override
  public void clear(byte[] key) {
    write(OperationKind.CLEAR, () -> inner.clear(key));
  }

  @Override
  public void clear(KeyRange range) {
    write(OperationKind.CLEAR, () -> inner.clear(range));
  }

  @Override
  public void add(byte[] key, long delta) {
    write(OperationKind.SET, () -> inner.add(key, delta));
  }

  @Override
  public void setVersionstampedKey(byte[] keyWithOffset, byte[] value) {
    write(OperationKind.SET, () -> inner.setVersionstampedKey(keyWithOffset, value));
  }

  @Override
  public void setVersionstampedValue(byte[] key, byte[] valueWithOffset) {
    write(OperationKind.SET, () -> inner.setVersionstampedValue(key, valueWithOffset));
  }

  @Override
  public void addReadConflict(KeyRange range) {
    var unused = store.step(OperationKind.ADD_CONFLICT, false);
    inner.addReadConflict(range);
  }

  @Override
  public void addWriteConflict(KeyRange range) {
    write(OperationKind.ADD_CONFLICT, () -> inner.addWriteConflict(range));
  }

  @Override
  public CompletableFuture<Void> watch(byte[] key) {
    Planned planned = store.step(OperationKind.WATCH, false);
    boolean early = planned.fault() == Fault.WATCH_EARLY;
    if (!early && planned.fault() != Fault.WATCH_LATE) {
      return inner.watch(key);
    }
    FaultyWatch watch = new FaultyWatch(inner.watch(key), early, store.delay(planned.operation()));
    watches.add(watch);
    return watch.fired();
  }

  @Override
  public void close() {
    if (!underway) {
      inner.close();
    }
  }

  private void write(OperationKind kind, Runnable work) {
    var unused = store.step(kind, false);
    writes = true;
    work.run();
  }
}
