package dev.bridle.core.server;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of a core: one pool for calls, which block on the store, one for what follows streams
 * and queues, so that neither starves the other, a timer for what never blocks, and one for
 * periodic work on the store, so that a sweep of many entries keeps no stream from being looked
 * after.
 */
final class CoreExecutors implements AutoCloseable {
  private static final int BACKGROUND_THREADS = 8;

  /** One for each kind of sweep: leases end in time while others go through all tenants. */
  private static final int SWEEP_THREADS = 4;

  private static final Duration IDLE = Duration.ofSeconds(30);

  private final ThreadPoolExecutor calls;
  private final ThreadPoolExecutor background;
  private final ScheduledExecutorService timer;
  private final ScheduledExecutorService sweeps;

  CoreExecutors(int threads, int maxQueuedCalls) {
    this.calls = pool("bridle-call", threads, maxQueuedCalls);
    // Each queue and stream has at most one piece of work here, so its number is bounded by theirs.
    this.background =
        new ThreadPoolExecutor(
            BACKGROUND_THREADS,
            BACKGROUND_THREADS,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            named("bridle-background"));
    background.allowCoreThreadTimeOut(true);
    this.timer = Executors.newSingleThreadScheduledExecutor(named("bridle-timer"));
    this.sweeps = Executors.newScheduledThreadPool(SWEEP_THREADS, named("bridle-sweep"));
  }

  private static ThreadPoolExecutor pool(String name, int threads, int queued) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new ArrayBlockingQueue<>(queued),
            named(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static ThreadFactory named(String name) {
    AtomicInteger number = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  ExecutorService calls() {
    return calls;
  }

  ExecutorService background() {
    return background;
  }

  ScheduledExecutorService timer() {
    return timer;
  }

  /** Returns the timer of periodic work that blocks on the store. */
  ScheduledExecutorService sweeps() {
    return sweeps;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    sweeps.shutdownNow();
    calls.shutdown();
    background.shutdown();
    try {
      calls.awaitTermination(2, TimeUnit.SECONDS);
      background.awaitTermination(2, TimeUnit.SECONDS);
      timer.awaitTermination(2, TimeUnit.SECONDS);
      sweeps.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
