package dev.bridle.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Schedules the flushes of a worker's report buffers.
 *
 * @param delay how long a report waits; zero: reports do not wait
 * @param timer schedules; never blocked by a flush
 * @param pool runs the flushes, which block
 */
record ReportTimer(Duration delay, ScheduledExecutorService timer, Executor pool) {

  /** Schedules a flush; returns empty if the worker is closed, when handlers are stopped. */
  Optional<Future<?>> schedule(Runnable flush) {
    try {
      return Optional.of(
          timer.schedule(() -> pool.execute(flush), delay.toNanos(), TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException e) {
      return Optional.empty();
    }
  }
}
