package dev.bridle.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs a blocking operation on a number of threads for a time: what {@link Load} is for operations
 * that end later. The warm-up takes half of the time, and is not counted.
 */
final class ThreadLoad {
  private static final int MAX_SAMPLES = 1 << 20;

  private ThreadLoad() {}

  /** A thread's operation. */
  interface Operation {
    void run() throws Exception;
  }

  /** Makes the operation of each thread, so that it may have a state of its own. */
  interface Operations {
    Operation of(int thread);
  }

  static Load.Result run(int concurrency, Duration time, Operations operations) throws Exception {
    List<Operation> each = new ArrayList<>();
    for (int i = 0; i < concurrency; i++) {
      each.add(operations.of(i));
    }
    measure(time.dividedBy(2), each);
    return measure(time, each);
  }

  private static Load.Result measure(Duration time, List<Operation> operations) throws Exception {
    int perThread = MAX_SAMPLES / operations.size();
    CyclicBarrier start = new CyclicBarrier(operations.size());
    AtomicReference<Exception> failure = new AtomicReference<>();
    List<Run> runs = new ArrayList<>();
    for (Operation operation : operations) {
      Run run = new Run(operation, new long[perThread], start, time.toNanos(), failure);
      runs.add(run);
      run.start();
    }
    for (Run run : runs) {
      run.join();
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    long[] all =
        runs.stream().flatMapToLong(run -> Arrays.stream(run.samples())).sorted().toArray();
    double rate = runs.stream().mapToDouble(Run::perSecond).sum();
    return new Load.Result(
        rate, all[all.length / 2] / 1e6, all[(int) (all.length * 0.99)] / 1e6, Spent.Each.UNKNOWN);
  }

  private static final class Run extends Thread {
    private final Operation operation;
    private final long[] samples;
    private final CyclicBarrier barrier;
    private final long nanos;
    private final AtomicReference<Exception> failure;
    private long count;
    private long took;

    Run(
        Operation operation,
        long[] samples,
        CyclicBarrier barrier,
        long nanos,
        AtomicReference<Exception> failure) {
      this.operation = operation;
      this.samples = samples;
      this.barrier = barrier;
      this.nanos = nanos;
      this.failure = failure;
    }

    @Override
    public void run() {
      try {
        barrier.await();
        long began = System.nanoTime();
        long at = began;
        while (at - began < nanos && failure.get() == null) {
          operation.run();
          long end = System.nanoTime();
          samples[(int) (count++ % samples.length)] = end - at;
          at = end;
        }
        took = at - began;
      } catch (Exception e) {
        failure.compareAndSet(null, e);
      }
    }

    double perSecond() {
      return count * 1e9 / took;
    }

    long[] samples() {
      return Arrays.copyOf(samples, (int) Math.min(count, samples.length));
    }
  }
}
