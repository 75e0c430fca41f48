package dev.bridle.storage.embedded;

import java.io.File;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open RocksDB. Calls are counted, because a call on a freed handle would crash the process:
 * {@link #close()} rejects new calls, waits for calls in progress, and then frees the handles.
 */
final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);
  private static final String UNFLUSHED = "rocksdb.cur-size-active-mem-table";
  private static final long WORTH_FLUSHING_BYTES = 1L << 20;
  private static final String BACKGROUND_ERRORS = "rocksdb.background-errors";
  private static final long STALL_POLL_NANOS = 200_000;
  private static final long STALL_PATIENCE_NANOS = Duration.ofSeconds(2).toNanos();
  private static final int SHUT = 1 << 30;
  private static final long CLOSE_POLL_NANOS = 100_000;

  private final DatabaseConfig config;
  private final RocksDB rocks;
  private final WriteOptions synced = new WriteOptions().setSync(true).setNoSlowdown(true);
  private final AtomicInteger inside = new AtomicInteger();
  private final Set<RocksVersion> live = ConcurrentHashMap.newKeySet();
  private final FirstFailure failure = new FirstFailure();
  private final ValueCache values = new ValueCache();

  Database(DatabaseConfig config, RocksDB rocks) {
    this.config = config;
    this.rocks = rocks;
  }

  /** A native call. */
  interface Call<T> {
    T on(RocksDB rocks) throws RocksDBException;
  }

  /** Makes a native call, or fails with {@code STORE_CLOSED}. */
  <T> T call(Call<T> call) {
    if (!enter()) {
      throw Refusal.CLOSED.toException();
    }
    try {
      return call.on(rocks);
    } catch (RocksDBException e) {
      LOG.error("A read failed ({}); the store stops", e.getMessage());
      throw failure.record(Refusal.readFailed(e)).toException();
    } finally {
      inside.decrementAndGet();
    }
  }

  /** Makes a native call whose failure does not stop the store. */
  <T> T callWithoutFailing(Call<T> call) throws RocksDBException {
    if (!enter()) {
      throw Refusal.CLOSED.toException();
    }
    try {
      return call.on(rocks);
    } finally {
      inside.decrementAndGet();
    }
  }

  /** Returns the recorder of disk failures. */
  FirstFailure failure() {
    return failure;
  }

  /**
   * Writes and syncs. Called by the committer only, which ends before the database closes.
   *
   * <p>While RocksDB stalls writes, this waits outside of it: on a full disk, a writer that waits
   * inside RocksDB would deadlock with its recovery.
   */
  void write(WriteBatch batch) throws RocksDBException {
    long began = System.nanoTime();
    while (!tryWrite(batch)) {
      long errors = rocks.getLongProperty(BACKGROUND_ERRORS);
      // A failed compaction is retried later, and a short stall may have another cause.
      if (errors > 0 && System.nanoTime() - began > STALL_PATIENCE_NANOS) {
        throw new RocksDBException(
            "Files could not be written ("
                + errors
                + " attempts, "
                + new File(rocks.getName()).getUsableSpace()
                + " bytes left on the disk); the file LOG in "
                + rocks.getName()
                + " says why");
      }
      LockSupport.parkNanos(STALL_POLL_NANOS);
    }
  }

  /** Writes a batch; returns false, with nothing written, if RocksDB would stall. */
  private boolean tryWrite(WriteBatch batch) throws RocksDBException {
    try {
      rocks.write(synced, batch);
      return true;
    } catch (RocksDBException e) {
      if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Incomplete) {
        return false;
      }
      throw e;
    }
  }

  /** Returns the values that were read last; the committer changes them with each batch. */
  ValueCache values() {
    return values;
  }

  /** Publishes the state that the store was opened with. */
  RocksVersion publishFirst(long version) {
    values.open(version);
    return publish(version);
  }

  /** Publishes the current state. The caller owns the first reference. */
  RocksVersion publish(long version) {
    return call(
        open -> {
          RocksVersion published = new RocksVersion(this, version, open.getSnapshot());
          live.add(published);
          return published;
        });
  }

  /** Frees a version that is no longer read; a closed database has freed it already. */
  void retire(RocksVersion published) {
    if (enter()) {
      try {
        free(published);
      } finally {
        inside.decrementAndGet();
      }
    }
  }

  @Override
  public void close() {
    inside.addAndGet(SHUT);
    while (inside.get() != SHUT) {
      LockSupport.parkNanos(CLOSE_POLL_NANOS);
    }
    live.forEach(this::free);
    if (failure.refusal().isEmpty()) {
      flushLog();
    }
    rocks.close();
    synced.close();
    config.close();
  }

  /** Flushes, so that the next opening need not replay the log. Nothing is lost if this fails. */
  private void flushLog() {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      if (rocks.getLongProperty(UNFLUSHED) > WORTH_FLUSHING_BYTES) {
        rocks.flush(flush);
      }
    } catch (RocksDBException e) {
      LOG.warn("The log could not be flushed at closing; the next opening replays it", e);
    }
  }

  private void free(RocksVersion published) {
    if (live.remove(published)) {
      published.readOptions().close();
      rocks.releaseSnapshot(published.snapshot());
    }
  }

  private boolean enter() {
    if (inside.incrementAndGet() < SHUT) {
      return true;
    }
    inside.decrementAndGet();
    return false;
  }
}
