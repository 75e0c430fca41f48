package dev.bridle.core.fault;

import dev.bridle.storage.kit.fault.FaultPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Stores to play scenarios on, one for each processor. A run is a single thread's, but two runs
 * have nothing in common.
 */
final class Stages implements AutoCloseable {
  private final ExecutorService threads;
  private final List<Scenes> all;
  private final BlockingQueue<Scenes> free;

  Stages(Path directory) {
    int count = Runtime.getRuntime().availableProcessors();
    this.all =
        IntStream.range(0, count)
            .mapToObj(n -> new Scenes(directory.resolve("stage-" + n)))
            .toList();
    this.free = new ArrayBlockingQueue<>(count, false, all);
    this.threads = Executors.newFixedThreadPool(count);
  }

  /** Plays a scenario as soon as a store is free; the number of faults that it met is to come. */
  Future<Long> begin(FaultPlan plan, Scenario scenario) {
    return threads.submit(
        () -> {
          Scenes scenes = free.take();
          try {
            return scenes.play(plan, scenario);
          } finally {
            free.add(scenes);
          }
        });
  }

  /** Plays a scenario, and returns how many faults it met. */
  long play(FaultPlan plan, Scenario scenario) throws Exception {
    return ended(begin(plan, scenario));
  }

  /** Waits for a run's end, and fails as it did. */
  static long ended(Future<Long> run) throws Exception {
    try {
      return run.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw (Exception) e.getCause();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    all.forEach(Scenes::close);
  }
}
