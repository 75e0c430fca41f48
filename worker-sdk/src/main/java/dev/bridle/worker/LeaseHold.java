package dev.bridle.worker;

import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The state of one leased task: its fencing token, the stop reason of its handler, and the thread
 * to interrupt. Thread-safe; all times are of {@link System#nanoTime()}.
 */
final class LeaseHold {
  private enum Phase {
    WAITING,
    HANDLING,
    FINISHING,
    ENDED
  }

  // The time for which the core reserves an answered task for the worker that parked it.
  private static final long ANSWER_ON_ITS_WAY = TimeUnit.SECONDS.toNanos(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final String taskId;
  private Phase phase = Phase.WAITING;
  private Stop stop = Stop.NONE;
  private Thread runner;
  private Thread flusher;
  private long fence;
  private long leaseNanos;
  private long confirmed;
  private boolean asking;
  private boolean parked;
  private boolean resumed;
  private boolean mayPark = true;
  private boolean worksWhileParked;
  private boolean free;
  private long parkedUntil;
  private int slots = 1;

  LeaseHold(TaskLease lease, long now) {
    this.taskId = lease.getTask().getId();
    renew(lease, now);
  }

  private void renew(TaskLease lease, long now) {
    fence = lease.getFence();
    leaseNanos = LeaseTimes.nanos(lease.getLeaseTime());
    confirmed = now;
    free = false;
    worksWhileParked = lease.getWorksWhileParked();
  }

  String taskId() {
    return taskId;
  }

  long fence() {
    lock.lock();
    try {
      return fence;
    } finally {
      lock.unlock();
    }
  }

  Stop stop() {
    lock.lock();
    try {
      return stop;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the lease while the worker holds it. */
  Optional<HeldLease> lease() {
    lock.lock();
    try {
      return phase == Phase.ENDED || free || stop.compareTo(Stop.RELEASED) >= 0
          ? Optional.empty()
          : Optional.of(HeldLease.newBuilder().setTaskId(taskId).setFence(fence).build());
    } finally {
      lock.unlock();
    }
  }

  /** Returns the time at which the lease expires unless it is renewed. */
  long deadline() {
    lock.lock();
    try {
      return confirmed + leaseNanos;
    } finally {
      lock.unlock();
    }
  }

  void confirm(long confirmedFence, long at) {
    lock.lock();
    try {
      if (fence == confirmedFence && at - confirmed > 0) {
        confirmed = at;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records that the core reports the lease as free, and returns whether the handler must stop.
   * While a call is in flight that would free the lease, the response of that call decides.
   */
  boolean freed(long freedFence) {
    lock.lock();
    try {
      if (fence != freedFence || asking || phase == Phase.FINISHING) {
        return false;
      }
      return !awaitsAnswer() && stop(Stop.LOST);
    } finally {
      lock.unlock();
    }
  }

  /** Lets a parked handler without a lease wait briefly, since its answer may be on its way. */
  private boolean awaitsAnswer() {
    if (parked) {
      free = true;
      parkedUntil = Math.min(parkedUntil, System.nanoTime() + ANSWER_ON_ITS_WAY);
      changed.signalAll();
    }
    return parked;
  }

  /**
   * Returns whether to retry a call whose fencing token the core rejected: a newer lease has
   * arrived meanwhile, or the handler is parked and one may be on its way. Otherwise stops the
   * handler.
   */
  boolean lost(long refusedFence) {
    lock.lock();
    try {
      boolean again = fence != refusedFence || awaitsAnswer();
      if (!again) {
        var unused = stop(Stop.LOST);
      }
      return again;
    } finally {
      lock.unlock();
    }
  }

  /** Stops the handler; returns false if it was already stopped for this reason. */
  boolean stop(Stop reason) {
    lock.lock();
    try {
      if (phase == Phase.ENDED || reason.compareTo(stop) <= 0) {
        return false;
      }
      stop = reason;
      changed.signalAll();
      boolean interrupts =
          phase == Phase.HANDLING || (phase == Phase.FINISHING && reason == Stop.LOST);
      if (interrupts && runner != null && runner != Thread.currentThread()) {
        runner.interrupt();
      }
      if (reason == Stop.LOST && flusher != null) {
        flusher.interrupt();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Stops the handler for a cancellation of this lease. */
  boolean cancel(long canceledFence) {
    lock.lock();
    try {
      return fence == canceledFence && stop(Stop.CANCEL);
    } finally {
      lock.unlock();
    }
  }

  void begin() {
    lock.lock();
    try {
      runner = Thread.currentThread();
      phase = Phase.HANDLING;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records that the handler has ended: from now on, only the loss of the lease interrupts its
   * thread.
   */
  Stop finish() {
    lock.lock();
    try {
      phase = Phase.FINISHING;
      Thread.interrupted();
      return stop;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the hold and returns the number of slots it used: 0 if the handler was parked. */
  int end() {
    lock.lock();
    try {
      phase = Phase.ENDED;
      runner = null;
      Thread.interrupted();
      changed.signalAll();
      return slots;
    } finally {
      lock.unlock();
    }
  }

  /** Begins a flush of reports on the calling thread, which the loss of the lease interrupts. */
  void beginFlush() {
    lock.lock();
    try {
      flusher = Thread.currentThread();
    } finally {
      lock.unlock();
    }
  }

  void endFlush() {
    lock.lock();
    try {
      flusher = null;
      Thread.interrupted();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the core takes reports now: not of a handler that waits for an answer. */
  boolean mayFlush() {
    lock.lock();
    try {
      return phase == Phase.HANDLING && !asking && (!parked || (worksWhileParked && !free));
    } finally {
      lock.unlock();
    }
  }

  /** Throws if the handler must stop. */
  void throwIfStopped() {
    lock.lock();
    try {
      boolean finishing = phase == Phase.FINISHING && stop.compareTo(Stop.RELEASED) < 0;
      if (!finishing) {
        if (worksWhileParked && stop == Stop.CANCEL && runner == Thread.currentThread()) {
          Thread.interrupted(); // It told the same, and would disturb the last reports.
        }
        stop.raise();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Throws if the handler may no longer report. One whose processes work while it is parked may
   * report what they do until they have stopped after a cancellation.
   */
  void throwIfSilenced() {
    lock.lock();
    try {
      if (!(worksWhileParked && stop == Stop.CANCEL)) {
        throwIfStopped();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits, and throws if the handler must stop. Another interrupt ends the wait and stays set. */
  void pause(long nanos) {
    await(nanos, this::throwIfStopped);
  }

  /** Waits before another try of a call, and throws if the handler may no longer report. */
  void backOff(long nanos) {
    await(nanos, this::throwIfSilenced);
  }

  private void await(long nanos, Runnable check) {
    lock.lock();
    try {
      long left = nanos;
      check.run();
      while (left > 0) {
        left = changed.awaitNanos(left);
        check.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      check.run();
    } finally {
      lock.unlock();
    }
  }

  /** Marks the begin or end of a call whose success frees or parks the lease. */
  void ask(boolean begins) {
    lock.lock();
    try {
      asking = begins;
      resumed = false;
    } finally {
      lock.unlock();
    }
  }

  /** Frees the slot of the handler while it is parked. */
  void leaveSlot() {
    lock.lock();
    try {
      slots--;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Parks the handler until the answer arrives with a new lease, and returns true; returns false on
   * a timeout, after which the worker does not hold the lease.
   */
  boolean park(Duration hold) {
    lock.lock();
    try {
      parked = true;
      asking = false;
      parkedUntil = System.nanoTime() + hold.toNanos();
      long left = hold.toNanos();
      while (!resumed && mayPark && left > 0) {
        throwIfStopped();
        changed.awaitNanos(left);
        left = parkedUntil - System.nanoTime();
      }
      throwIfStopped();
      return resumed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throwIfStopped();
      return false;
    } finally {
      parked = false;
      resumed = false;
      lock.unlock();
    }
  }

  /** Ends the wait of a parked handler, and of any later one. */
  void endParking() {
    lock.lock();
    try {
      mayPark = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Passes a new lease and slot to a handler that is parked or about to park; returns false if
   * there is none.
   */
  boolean resume(TaskLease lease, long now) {
    lock.lock();
    try {
      boolean goesOn = phase == Phase.HANDLING && stop == Stop.NONE && (parked || asking);
      if (goesOn) {
        renew(lease, now);
        resumed = true;
        slots++;
        changed.signalAll();
      }
      return goesOn;
    } finally {
      lock.unlock();
    }
  }
}
