package dev.bridle.storage.embedded;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** A commit request in the committer, and the thread that waits for it. */
final class CommitRequest {
  private static final int WAKES_EACH = 8;
  private static final long MAX_BYTES_BESIDE_REMOVALS = 1024;

  private enum Stage {
    QUEUED,
    TAKEN,
    DONE,
    GIVEN_UP
  }

  private final long readVersion;
  private final long readNanos;
  private final List<Span> reads;
  private final List<Mutation> mutations;
  private final List<Span> writeConflicts;
  private final long bytes;
  private final Thread waiter = Thread.currentThread();
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.QUEUED);
  private Thread[] wakesNext = {};
  private Refusal refusal;
  private byte[] stamp = {};

  /**
   * @param readVersion the read version; ignored without reads
   * @param readNanos when that version was taken
   */
  CommitRequest(
      long readVersion,
      long readNanos,
      List<Span> reads,
      List<Mutation> mutations,
      List<Span> writeConflicts,
      long bytes) {
    this.readVersion = readVersion;
    this.readNanos = readNanos;
    this.reads = reads;
    this.mutations = mutations;
    this.writeConflicts = writeConflicts;
    this.bytes = bytes;
  }

  /** Returns an empty request, which only wakes the committer. */
  static CommitRequest wakeUp() {
    CommitRequest none = new CommitRequest(0, 0, List.of(), List.of(), List.of(), 0);
    none.stage.set(Stage.GIVEN_UP);
    return none;
  }

  long readVersion() {
    return readVersion;
  }

  long readNanos() {
    return readNanos;
  }

  List<Span> reads() {
    return reads;
  }

  List<Mutation> mutations() {
    return mutations;
  }

  List<Span> writeConflicts() {
    return writeConflicts;
  }

  long bytes() {
    return bytes;
  }

  /** Returns whether the request mainly deletes, and stores at most a small record besides. */
  boolean makesRoom() {
    boolean removesRange = false;
    boolean removesOnly = true;
    long stored = 0;
    for (Mutation mutation : mutations) {
      removesRange |= mutation instanceof Mutation.ClearRange;
      removesOnly &= mutation.storedBytes() == 0;
      stored += mutation.storedBytes();
    }
    return removesOnly || (removesRange && stored <= MAX_BYTES_BESIDE_REMOVALS);
  }

  /** Takes the request into a batch; false if its thread has given up. */
  boolean take() {
    return stage.compareAndSet(Stage.QUEUED, Stage.TAKEN);
  }

  /** Sets the outcome; {@link #finishAll} passes it to the waiting thread. */
  void accept(byte[] versionstamp) {
    stamp = versionstamp;
  }

  /** Rejects the request, unless it is already rejected. */
  void refuse(Refusal reason) {
    if (refusal == null) {
      refusal = reason;
    }
  }

  /**
   * Wakes the waiting threads of a batch. The committer wakes a few of them, which wake the rest,
   * since waking all would cost most of its time.
   */
  static void finishAll(List<CommitRequest> batch) {
    for (int from = 0; from < batch.size(); from += WAKES_EACH) {
      List<CommitRequest> group = batch.subList(from, Math.min(from + WAKES_EACH, batch.size()));
      group.get(0).finish(group.subList(1, group.size()));
    }
  }

  private void finish(List<CommitRequest> others) {
    wakesNext = new Thread[others.size()];
    for (int i = 0; i < wakesNext.length; i++) {
      wakesNext[i] = others.get(i).waiter;
      others.get(i).stage.compareAndSet(Stage.TAKEN, Stage.DONE);
    }
    if (stage.compareAndSet(Stage.TAKEN, Stage.DONE)) {
      LockSupport.unpark(waiter);
    } else {
      wakeNext();
    }
  }

  private void wakeNext() {
    for (Thread next : wakesNext) {
      LockSupport.unpark(next);
    }
  }

  /**
   * Waits for the outcome and returns the versionstamp. An interrupt is deferred: giving up would
   * make the outcome unknown, although it is only milliseconds away.
   */
  byte[] await(long deadlineNanos) {
    boolean interrupted = false;
    try {
      while (stage.get() != Stage.DONE) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0 && giveUp()) {
          throw new StoreException(
              Code.TIMED_OUT, "The commit took longer than the transaction's time.");
        }
        LockSupport.parkNanos(this, left);
        interrupted |= Thread.interrupted();
      }
    } finally {
      if (stage.get() == Stage.DONE) {
        wakeNext();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return outcome();
  }

  /** Returns the versionstamp of a finished request, or throws its rejection. */
  byte[] outcome() {
    if (refusal != null) {
      throw refusal.toException();
    }
    return stamp;
  }

  private boolean giveUp() {
    return stage.compareAndSet(Stage.QUEUED, Stage.GIVEN_UP)
        || stage.compareAndSet(Stage.TAKEN, Stage.GIVEN_UP);
  }
}
