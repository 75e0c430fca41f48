package dev.bridle.storage.fdb;

import com.apple.foundationdb.MutationType;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.LimitCheck;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.StoreLimits;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Lock;

/**
 * Wraps one of the client's transactions, and enforces the contract: limits, age, order of calls.
 */
final class FdbTransaction implements Transaction {
  private enum State {
    OPEN,
    COMMITTED,
    CLOSED
  }

  private final FdbStore store;
  private final com.apple.foundationdb.Transaction opened;
  private final FdbReads reads;
  private final FdbReads snapshot;
  private final List<FdbWatch> unarmed = new ArrayList<>();
  private final List<CompletableFuture<byte[]>> stampFutures = new ArrayList<>();
  private OptionalLong readNanos = OptionalLong.empty();
  private long bytes;
  private boolean writes;
  private State state = State.OPEN;

  FdbTransaction(FdbStore store, com.apple.foundationdb.Transaction opened) {
    this.store = store;
    this.opened = opened;
    this.reads = new FdbReads(this, opened);
    this.snapshot = new FdbReads(this, opened.snapshot());
  }

  @Override
  public ReadTransaction snapshot() {
    return snapshot;
  }

  @Override
  public Optional<byte[]> get(byte[] key) {
    return reads.get(key);
  }

  @Override
  public CompletableFuture<Optional<byte[]>> getAsync(byte[] key) {
    return reads.getAsync(key);
  }

  @Override
  public List<KeyValue> getRange(KeyRange range, int limit, boolean reverse) {
    return reads.getRange(range, limit, reverse);
  }

  @Override
  public long readVersion() {
    return reads.readVersion();
  }

  @Override
  public void set(byte[] key, byte[] value) {
    byte[] moved = subspace().key(key);
    LimitCheck.value(value);
    write(3L * moved.length + value.length);
    opened.set(moved, value);
  }

  @Override
  public void clear(byte[] key) {
    byte[] moved = subspace().key(key);
    write(3L * moved.length);
    opened.clear(moved);
  }

  @Override
  public void clear(KeyRange range) {
    KeyRange moved = subspace().range(range);
    write(2L * (moved.begin().length + moved.end().length));
    opened.clear(moved.begin(), moved.end());
  }

  @Override
  public void add(byte[] key, long delta) {
    byte[] moved = subspace().key(key);
    write(3L * moved.length + Long.BYTES);
    opened.mutate(
        MutationType.ADD,
        moved,
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(delta).array());
  }

  @Override
  public void setVersionstampedKey(byte[] keyWithOffset, byte[] value) {
    byte[] moved = subspace().stampedKey(keyWithOffset);
    LimitCheck.value(value);
    write(3L * moved.length + value.length);
    opened.mutate(MutationType.SET_VERSIONSTAMPED_KEY, moved, value);
  }

  @Override
  public void setVersionstampedValue(byte[] key, byte[] valueWithOffset) {
    byte[] moved = subspace().key(key);
    LimitCheck.value(valueWithOffset);
    LimitCheck.stampOffset(valueWithOffset);
    write(3L * moved.length + valueWithOffset.length);
    opened.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, moved, valueWithOffset);
  }

  @Override
  public void addReadConflict(KeyRange range) {
    KeyRange moved = subspace().range(range);
    // The client would take the read version with the commit, and conflict with nothing before it.
    readVersion();
    grow(moved.begin().length + moved.end().length);
    opened.addReadConflictRange(moved.begin(), moved.end());
  }

  @Override
  public void addWriteConflict(KeyRange range) {
    KeyRange moved = subspace().range(range);
    write(moved.begin().length + moved.end().length);
    opened.addWriteConflictRange(moved.begin(), moved.end());
  }

  @Override
  public CompletableFuture<byte[]> versionstamp() {
    checkOpen();
    CompletableFuture<byte[]> future = new CompletableFuture<>();
    stampFutures.add(future);
    return future;
  }

  @Override
  public CompletableFuture<Void> watch(byte[] key) {
    byte[] moved = subspace().key(key);
    beforeRead();
    FdbWatch watch = store.watches().of(opened.watch(moved), FdbNetwork.executor());
    unarmed.add(watch);
    return watch.future();
  }

  @Override
  public void commit() {
    Lock commits = store.closing().readLock();
    commits.lock();
    try {
      checkOpen();
      if (writes) {
        checkAge();
      }
      state = State.COMMITTED;
      // It must be requested before the commit.
      Optional<CompletableFuture<byte[]>> stamp =
          stampFutures.isEmpty() ? Optional.empty() : Optional.of(opened.getVersionstamp());
      await(opened.commit());
      stamp.ifPresent(this::completeStamps);
      unarmed.forEach(FdbWatch::arm);
    } catch (StoreException e) {
      drop(e);
      throw e;
    } finally {
      commits.unlock();
    }
  }

  private void completeStamps(CompletableFuture<byte[]> stamp) {
    try {
      byte[] known = await(stamp);
      stampFutures.forEach(future -> future.complete(known.clone()));
    } catch (StoreException e) {
      // Nothing was written, or the commit succeeded and only its versionstamp is unknown.
      stampFutures.forEach(future -> future.completeExceptionally(e));
    }
  }

  /**
   * Waits for the client's {@code onError} backoff, and returns the new transaction; this one is
   * closed.
   */
  FdbTransaction afterError(StoreException failure) {
    state = State.CLOSED;
    drop(failure);
    CompletableFuture<com.apple.foundationdb.Transaction> next =
        opened.onError(FdbErrors.toFdb(failure));
    try {
      // It keeps the options, and its timeout counts from the first attempt.
      return new FdbTransaction(store, next.get());
    } catch (InterruptedException e) {
      var unused = next.thenAccept(com.apple.foundationdb.Transaction::close);
      Thread.currentThread().interrupt();
      throw new StoreException(
          Code.CANCELLED, "The thread was interrupted while it waited for another attempt.", e);
    } catch (ExecutionException e) {
      throw FdbErrors.toStore(e);
    } finally {
      opened.close();
    }
  }

  @Override
  public void close() {
    // Only for somebody who waits: an exception takes the stack trace of a whole call.
    if (state == State.OPEN && !(stampFutures.isEmpty() && unarmed.isEmpty())) {
      drop(new StoreException(Code.CANCELLED, "The transaction was closed without a commit."));
    }
    state = State.CLOSED;
    opened.close();
  }

  Subspace subspace() {
    return store.subspace();
  }

  /** Rejects reads of a transaction whose commit would be rejected anyway. */
  void beforeRead() {
    checkOpen();
    checkAge();
    if (readNanos.isEmpty()) {
      readNanos = OptionalLong.of(System.nanoTime());
    }
  }

  /** Waits for one of the client's futures; the transaction's timeout bounds that. */
  <T> T await(CompletionStage<T> future) {
    try {
      return future.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw failure(e);
    }
  }

  /** Converts a failure of the client to the contract's exception. */
  StoreException failure(Throwable failure) {
    store.checkOpen();
    return FdbErrors.toStore(failure);
  }

  private void drop(StoreException reason) {
    stampFutures.forEach(future -> future.completeExceptionally(reason));
    unarmed.forEach(watch -> watch.fail(reason));
  }

  private void write(long size) {
    grow(size);
    writes = true;
  }

  private void grow(long size) {
    checkOpen();
    if (bytes + size > StoreLimits.MAX_TRANSACTION_BYTES) {
      throw LimitCheck.transactionTooLarge();
    }
    bytes += size;
  }

  private void checkAge() {
    if (readNanos.isPresent()
        && System.nanoTime() - readNanos.getAsLong() > StoreLimits.MAX_TRANSACTION_AGE.toNanos()) {
      throw new StoreException(
          Code.TRANSACTION_TOO_OLD, "The transaction is older than the store remembers.");
    }
  }

  private void checkOpen() {
    store.checkOpen();
    if (state != State.OPEN) {
      throw new StoreException(
          Code.INVALID_OPERATION, "The transaction has been committed or closed already.");
    }
  }
}
