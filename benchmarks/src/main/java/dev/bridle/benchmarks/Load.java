package dev.bridle.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Keeps a number of operations under way for a time, and takes how long each one took. */
final class Load {
  private static final int MAX_SAMPLES = 4_000_000;
  private static final int MAX_SAMPLES_OF_A_TURN = 100_000;

  private Load() {}

  /**
   * What a run measured.
   *
   * @param perSecond operations a second
   * @param p50Millis the time that half of the operations stayed below
   * @param p99Millis the time that all but one in a hundred stayed below
   * @param each what one operation took of the process, its client included
   */
  record Result(double perSecond, double p50Millis, double p99Millis, Spent.Each each) {}

  /**
   * Runs {@code operation} at a concurrency for a time, after a warm-up of half of it. A failed
   * operation ends the run.
   */
  static Result run(int concurrency, Duration time, Supplier<CompletableFuture<?>> operation) {
    measure(concurrency, time.dividedBy(2), MAX_SAMPLES, operation);
    return measure(concurrency, time, MAX_SAMPLES, operation);
  }

  /** Does the same for one turn of several: short, and without a warm-up. */
  static Result turn(int concurrency, Duration time, Supplier<CompletableFuture<?>> operation) {
    return measure(concurrency, time, MAX_SAMPLES_OF_A_TURN, operation);
  }

  private static Result measure(
      int concurrency, Duration time, int maxSamples, Supplier<CompletableFuture<?>> operation) {
    long[] samples = new long[maxSamples];
    AtomicInteger taken = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Semaphore slots = new Semaphore(concurrency);
    Spent spent = new Spent();
    long began = System.nanoTime();
    long end = began + time.toNanos();
    while (System.nanoTime() < end && failure.get() == null) {
      slots.acquireUninterruptibly();
      long from = System.nanoTime();
      var unused =
          operation
              .get()
              .whenComplete(
                  (done, failed) -> {
                    if (failed != null) {
                      failure.compareAndSet(null, failed);
                    } else {
                      int at = taken.getAndIncrement();
                      if (at < maxSamples) {
                        samples[at] = System.nanoTime() - from;
                      }
                    }
                    slots.release();
                  });
    }
    slots.acquireUninterruptibly(concurrency);
    double seconds = (System.nanoTime() - began) / 1e9;
    if (failure.get() != null) {
      throw new IllegalStateException("an operation failed", failure.get());
    }
    Spent.Each each = spent.each(Math.max(1, taken.get()));
    int count = Math.min(taken.get(), maxSamples);
    long[] sorted = Arrays.copyOf(samples, count);
    Arrays.sort(sorted);
    return new Result(
        taken.get() / seconds, sorted[count / 2] / 1e6, sorted[(int) (count * 0.99)] / 1e6, each);
  }
}
