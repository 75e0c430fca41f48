package dev.bridle.core.operations.check.walk;

import com.google.common.util.concurrent.MoreExecutors;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The threads that a check reads and parses on; without any, the caller does the work as it submits
 * it. What they found is taken in a fixed order.
 */
public final class Workers implements AutoCloseable {
  private static final int CLOSE_SECONDS = 60;

  private final int threads;
  private final ExecutorService pool;

  public Workers(int threads) {
    this.threads = threads;
    this.pool =
        threads == 0
            ? MoreExecutors.newDirectExecutorService()
            : Executors.newFixedThreadPool(threads, Workers::thread);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "storage-check");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns how many pieces of work may be under way, or done and not taken. */
  public int ahead() {
    return 2 * threads + 1;
  }

  public <T> Future<T> submit(Callable<T> work) {
    return pool.submit(work);
  }

  /** Waits for a result, and throws what the work has thrown. */
  public static <T> T join(Future<T> work) {
    try {
      return work.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the check was interrupted", e);
    }
  }

  /** Waits for what is under way: the caller may close the store next. */
  @Override
  public void close() {
    pool.shutdownNow();
    try {
      var unused = pool.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
