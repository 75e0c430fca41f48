package dev.bridle.core.kernel.coalesce;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Runs tasks on another executor, so many at once; the others wait in their order. Thread-safe. */
public final class BoundedExecutor implements Executor {
  private final Executor executor;
  private final int most;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int running;

  /**
   * Creates an executor.
   *
   * @param executor runs the tasks
   * @param most how many at once
   */
  public BoundedExecutor(Executor executor, int most) {
    this.executor = executor;
    this.most = most;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (running == most) {
        waiting.add(task);
        return;
      }
      running++;
    }
    start(task);
  }

  private void start(Runnable task) {
    try {
      executor.execute(() -> run(task));
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        running--;
      }
      throw e;
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } finally {
      next().ifPresent(this::start);
    }
  }

  /** Returns the next task, in whose place the one that has ended is counted. */
  private synchronized Optional<Runnable> next() {
    Optional<Runnable> next = Optional.ofNullable(waiting.poll());
    if (next.isEmpty()) {
      running--;
    }
    return next;
  }
}
