package dev.bridle.core.kernel.coalesce;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Runs work on an executor whenever it is scheduled: never concurrently, and at least once after
 * the last call to {@link #schedule()}. Calls made meanwhile coalesce. A round of work returns
 * whether there is more to do; an exception is passed to the failure handler and ends the run. An
 * error ends the thread's work too, but not the runs that are scheduled later. Thread-safe.
 */
public final class CoalescingTask {
  private final Executor executor;
  private final BooleanSupplier round;
  private final Consumer<RuntimeException> failed;
  private final AtomicInteger requests = new AtomicInteger();

  public CoalescingTask(
      Executor executor, BooleanSupplier round, Consumer<RuntimeException> failed) {
    this.executor = executor;
    this.round = round;
    this.failed = failed;
  }

  /** Schedules the work. */
  public void schedule() {
    if (requests.getAndIncrement() == 0) {
      start();
    }
  }

  private void start() {
    try {
      executor.execute(this::run);
    } catch (RuntimeException | Error e) {
      requests.set(0); // Else no later call would schedule anything.
      throw e;
    }
  }

  private void run() {
    int seen = requests.get();
    boolean over = false;
    try {
      while (seen != 0) {
        runOnce();
        seen = requests.addAndGet(-seen);
      }
      over = true;
    } finally {
      if (!over && requests.addAndGet(-seen) != 0) {
        start(); // What was asked for meanwhile.
      }
    }
  }

  private void runOnce() {
    try {
      boolean more = true;
      while (more) {
        more = round.getAsBoolean();
      }
    } catch (RuntimeException e) {
      failed.accept(e);
    }
  }
}
