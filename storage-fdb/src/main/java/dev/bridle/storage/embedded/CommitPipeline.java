package dev.bridle.storage.embedded;

import dev.bridle.storage.StoreLimits;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.rocksdb.RocksDBException;

/**
 * Processes a batch of commits: checks conflicts, merges, writes to the backing, publishes. Used by
 * one thread at a time, except {@link #retainCurrent()}.
 */
final class CommitPipeline {
  private final Backing backing;
  private final Watches watches;
  private final LongSupplier nanoTime;
  private final ConflictWindow window;
  private final AtomicReference<PublishedVersion> current;

  CommitPipeline(
      Backing backing,
      Watches watches,
      LongSupplier nanoTime,
      ConflictWindow window,
      PublishedVersion first) {
    this.backing = backing;
    this.watches = watches;
    this.nanoTime = nanoTime;
    this.window = window;
    this.current = new AtomicReference<>(first);
  }

  /** Returns the newest durable version, with a reference that the caller must release. */
  PublishedVersion retainCurrent() {
    while (true) {
      PublishedVersion newest = current.get();
      if (newest.retain()) {
        return newest;
      }
    }
  }

  /**
   * Accepts or rejects each request of a batch, and makes the accepted ones durable and visible.
   *
   * @throws RocksDBException when it is not known whether the batch was written
   */
  void process(List<CommitRequest> batch) throws RocksDBException {
    long now = nanoTime.getAsLong();
    DiskSpace.Room room = backing.room(now);
    window.dropOlderThan(now);
    long version = current.get().version() + 1;
    BatchMerge merge = new BatchMerge();
    for (CommitRequest request : batch) {
      if (!hasRoom(room, request)) {
        request.refuse(Refusal.DISK_LOW);
      } else if (!request.reads().isEmpty() && isTooOld(request, now)) {
        request.refuse(Refusal.TOO_OLD);
      } else if (conflicts(request, merge)) {
        request.refuse(Refusal.CONFLICT);
      } else {
        request.accept(Stamps.stamp(version, merge.add(request, version)));
      }
    }
    if (!merge.isEmpty()) {
      backing.write(merge, version, current.get());
      publish(merge, version);
    }
  }

  private static boolean hasRoom(DiskSpace.Room room, CommitRequest request) {
    return switch (room) {
      case ENOUGH -> true;
      case REMOVALS -> request.makesRoom();
      case NONE -> false;
    };
  }

  private boolean conflicts(CommitRequest request, BatchMerge earlier) {
    List<Span> reads = request.reads();
    return !reads.isEmpty()
        && (earlier.conflicts(reads) || window.conflicts(request.readVersion(), reads));
  }

  private boolean isTooOld(CommitRequest request, long now) {
    return now - request.readNanos() > StoreLimits.MAX_TRANSACTION_AGE.toNanos()
        || window.isTooOld(request.readVersion());
  }

  private void publish(BatchMerge merge, long version) {
    WrittenKeys written = new WrittenKeys(version, nanoTime.getAsLong(), merge.written());
    window.add(written);
    PublishedVersion published = backing.publish(version);
    current.getAndSet(published).release();
    watches.changed(written, published);
  }
}
