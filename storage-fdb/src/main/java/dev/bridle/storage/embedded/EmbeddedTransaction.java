package dev.bridle.storage.embedded;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.LimitCheck;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.StoreLimits;
import dev.bridle.storage.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A transaction, which buffers its writes in memory until the commit. */
final class EmbeddedTransaction implements Transaction {
  private enum State {
    OPEN,
    COMMITTED,
    CLOSED
  }

  private final CommitPath commits;
  private final Watches watches;
  private final long deadlineNanos;
  private final WriteOverlay overlay = new WriteOverlay();
  private final TransactionReads reads;
  private final List<Mutation> mutations = new ArrayList<>();
  private final List<Span> writeConflicts = new ArrayList<>();
  private final List<Watches.Watch> unarmed = new ArrayList<>();
  private final List<CompletableFuture<byte[]>> stampFutures = new ArrayList<>();
  private long bytes;
  private State state = State.OPEN;

  EmbeddedTransaction(
      CommitPath commits, Watches watches, LongSupplier nanoTime, long deadlineNanos) {
    this.commits = commits;
    this.watches = watches;
    this.deadlineNanos = deadlineNanos;
    this.reads = new TransactionReads(commits, nanoTime, overlay, deadlineNanos);
  }

  @Override
  public ReadTransaction snapshot() {
    return new SnapshotView(this);
  }

  @Override
  public Optional<byte[]> get(byte[] key) {
    return reads().get(key, true);
  }

  @Override
  public CompletableFuture<Optional<byte[]>> getAsync(byte[] key) {
    return completed(() -> get(key));
  }

  @Override
  public List<KeyValue> getRange(KeyRange range, int limit, boolean reverse) {
    return reads().getRange(range, limit, reverse, true);
  }

  @Override
  public long readVersion() {
    return reads().version().version();
  }

  @Override
  public void set(byte[] rawKey, byte[] rawValue) {
    byte[] key = Arguments.key(rawKey);
    byte[] value = Arguments.value(rawValue);
    write(new Mutation.Set(key, value), 3L * key.length + value.length);
    overlay.set(key, value);
  }

  @Override
  public void clear(byte[] rawKey) {
    byte[] key = Arguments.key(rawKey);
    write(new Mutation.Clear(key), 3L * key.length);
    overlay.clear(key);
  }

  @Override
  public void clear(KeyRange range) {
    Span span = Arguments.range(range);
    checkOpen();
    if (!Arguments.isEmpty(span)) {
      write(new Mutation.ClearRange(span), 2L * span.bytes());
      overlay.clear(span);
    }
  }

  @Override
  public void add(byte[] rawKey, long delta) {
    byte[] key = Arguments.key(rawKey);
    write(new Mutation.Add(key, delta), 3L * key.length + Long.BYTES);
    overlay.add(key, delta);
  }

  @Override
  public void setVersionstampedKey(byte[] keyWithOffset, byte[] rawValue) {
    LimitCheck.key(keyWithOffset);
    Stamps.Template template = Stamps.Template.parse(keyWithOffset);
    byte[] key = template.bytes();
    byte[] value = Arguments.value(rawValue);
    write(new Mutation.StampedKey(key, template.offset(), value), 3L * key.length + value.length);
    overlay.stampKey(template.possible(reads.versionIfTaken().orElse(0)));
  }

  @Override
  public void setVersionstampedValue(byte[] rawKey, byte[] valueWithOffset) {
    byte[] key = Arguments.key(rawKey);
    LimitCheck.value(valueWithOffset);
    Stamps.Template template = Stamps.Template.parse(valueWithOffset);
    byte[] value = template.bytes();
    write(new Mutation.StampedValue(key, value, template.offset()), 3L * key.length + value.length);
    overlay.stampValue(key);
  }

  @Override
  public void addReadConflict(KeyRange range) {
    reads().addConflict(Arguments.range(range));
  }

  @Override
  public void addWriteConflict(KeyRange range) {
    Span span = Arguments.range(range);
    checkOpen();
    if (!Arguments.isEmpty(span)) {
      grow(span.bytes());
      writeConflicts.add(span);
    }
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
    Optional<byte[]> seen = reads().get(key, true);
    Watches.Watch watch = watches.create(key.clone(), seen.orElse(null));
    unarmed.add(watch);
    return watch.future();
  }

  @Override
  public void commit() {
    checkOpen();
    state = State.COMMITTED;
    try {
      reads.checkReadable();
      if (mutations.isEmpty() && writeConflicts.isEmpty()) {
        failStampsOfNothing();
      } else {
        byte[] stamp = write();
        stampFutures.forEach(future -> future.complete(stamp.clone()));
      }
    } catch (StoreException e) {
      failStamps(e);
      unarmed.forEach(watch -> watch.fail(e));
      throw e;
    }
    armWatches();
  }

  private byte[] write() {
    if (bytes + reads.bytes() > StoreLimits.MAX_TRANSACTION_BYTES) {
      throw LimitCheck.transactionTooLarge();
    }
    CommitRequest request =
        new CommitRequest(
            reads.versionIfTaken().orElse(0),
            reads.readNanos(),
            reads.conflicts(),
            mutations,
            writeConflicts,
            bytes);
    reads.release();
    return commits.commit(request, deadlineNanos);
  }

  private void armWatches() {
    if (!unarmed.isEmpty()) {
      try {
        watches.arm(unarmed, commits::retainCurrent);
      } catch (StoreException e) {
        // The commit itself has succeeded and must not be reported as failed.
        unarmed.forEach(watch -> watch.fail(e));
      }
    }
  }

  @Override
  public void close() {
    // Only for somebody who waits: an exception takes the stack trace of a whole call.
    if (state == State.OPEN && !(stampFutures.isEmpty() && unarmed.isEmpty())) {
      StoreException dropped =
          new StoreException(Code.CANCELLED, "The transaction was closed without a commit.");
      failStamps(dropped);
      unarmed.forEach(watch -> watch.fail(dropped));
    }
    state = State.CLOSED;
    reads.release();
  }

  /** Returns the reads of a transaction that is still open. */
  TransactionReads reads() {
    checkOpen();
    return reads;
  }

  /** Runs a read synchronously; it only waits for the disk. */
  static <T> CompletableFuture<T> completed(Supplier<T> read) {
    try {
      return CompletableFuture.completedFuture(read.get());
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void write(Mutation mutation, long size) {
    checkOpen();
    grow(size);
    mutations.add(mutation);
  }

  private void grow(long size) {
    if (bytes + size > StoreLimits.MAX_TRANSACTION_BYTES) {
      throw LimitCheck.transactionTooLarge();
    }
    bytes += size;
  }

  private void failStampsOfNothing() {
    if (!stampFutures.isEmpty()) {
      failStamps(
          new StoreException(
              Code.INVALID_OPERATION, "A transaction that wrote nothing has no versionstamp."));
    }
  }

  private void failStamps(StoreException reason) {
    stampFutures.forEach(future -> future.completeExceptionally(reason));
  }

  private void checkOpen() {
    if (state != State.OPEN) {
      throw new StoreException(
          Code.INVALID_OPERATION, "The transaction has been committed or closed already.");
    }
  }
}
