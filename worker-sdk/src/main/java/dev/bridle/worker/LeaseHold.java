package dev.bridle.worker;

import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The worker's hold on one task: the fence, whether and why the handler must stop, and the thread
 * to interrupt then. Thread-safe; all times are of {@link System#nanoTime()}.
 */
final class LeaseHold {
  /**
   * Why a handler must stop; a later one outweighs an earlier. From RELEASED on the lease is not
   * ours.
   */
  enum Stop {
    NONE,
    CLOSING,
    CANCEL,
    RELEASED,
    LOST
  }

  private enum Phase {
    WAITING,
    HANDLING,
    FINISHING,
    ENDED
  }

  // As long as the core keeps an answered task for the worker that parked it.
  private static final long ANSWER_ON_ITS_WAY = TimeUnit.SECONDS.toNanos(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final String taskId;
  private Phase phase = Phase.WAITING;
  private Stop stop = Stop.NONE;
  private Thread runner;
  private long fence;
  private long leaseNanos;
  private long confirmed;
  private boolean asking;
  private boolean parked;
  private boolean resumed;
  private boolean mayPark = true;
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

  /** Returns the lease while it is ours. */
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

  /** Returns when the lease runs out unless it is confirmed before. */
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
   * Notes that the core calls the lease free, and returns whether the handler must stop for that.
   * While a call is under way whose success frees it, that call's own answer decides. A parked
   * handler does nothing that could do harm, and its answer may be on its way: it waits a little.
   */
  boolean freed(long freedFence) {
    lock.lock();
    try {
      if (fence != freedFence || asking || phase == Phase.FINISHING) {
        return false;
      }
      if (parked) {
        free = true;
        parkedUntil = Math.min(parkedUntil, System.nanoTime() + ANSWER_ON_ITS_WAY);
        changed.signalAll();
        return false;
      }
      return stop(Stop.LOST);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes the handler stop, since the core refused that fence; not where a newer lease has come
   * meanwhile, under which the call is to be made again.
   */
  void lost(long refusedFence) {
    lock.lock();
    try {
      if (fence == refusedFence) {
        var unused = stop(Stop.LOST);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes the handler stop; returns whether that was news. */
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
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Makes the handler stop for its cancellation, if it is about this lease. */
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
   * Notes that the handler has ended: only the loss of the lease interrupts its thread from now on.
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

  /** Ends it, and returns how many slots it took up: none where it ended as a parked one. */
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

  void throwIfStopped() {
    lock.lock();
    try {
      boolean told = phase == Phase.FINISHING && stop.compareTo(Stop.RELEASED) < 0;
      if (!told) {
        switch (stop) {
          case NONE -> {}
          case CLOSING -> throw new TaskCancelled(TaskCancelled.Reason.WORKER_CLOSING);
          case CANCEL -> throw new TaskCancelled(TaskCancelled.Reason.CANCEL_REQUESTED);
          case RELEASED -> throw new TaskSuspended();
          case LOST -> throw new TaskCancelled(TaskCancelled.Reason.LEASE_LOST);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits unless the handler must stop, which is thrown; a foreign interrupt is kept and ends the
   * wait.
   */
  void pause(long nanos) {
    lock.lock();
    try {
      long left = nanos;
      throwIfStopped();
      while (left > 0) {
        left = changed.awaitNanos(left);
        throwIfStopped();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throwIfStopped();
    } finally {
      lock.unlock();
    }
  }

  /** Marks the time of a call whose success frees or parks the lease. */
  void ask(boolean begins) {
    lock.lock();
    try {
      asking = begins;
      resumed = false;
    } finally {
      lock.unlock();
    }
  }

  /** Notes that the handler takes up no slot while it is parked. */
  void leaveSlot() {
    lock.lock();
    try {
      slots--;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits as a parked process until the answer brings a new lease. Returns true then; false where
   * the time is over, and the lease is not ours then.
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

  /** Ends a parked handler's wait, and any later one. */
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
   * Gives a parked handler, or one about to park, its new lease and slot; returns false where there
   * is none to go on.
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
