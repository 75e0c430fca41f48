package dev.bridle.storage.kit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs the same work on many threads that start together, and passes on what failed. */
final class Workers {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private Workers() {}

  /** The work of one thread. */
  interface Work<T> {
    T run(int thread) throws Exception;
  }

  static <T> List<T> run(int threads, Work<T> work) {
    return run(threads, DEADLINE, work);
  }

  static <T> List<T> run(int threads, Duration deadline, Work<T> work) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        futures.add(
            pool.submit(
                () -> {
                  start.await();
                  return work.run(thread);
                }));
      }
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(deadline.toSeconds(), TimeUnit.SECONDS));
      }
      return results;
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("A worker failed or was stuck", e);
    } finally {
      pool.shutdownNow();
    }
  }
}
