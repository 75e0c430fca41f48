package dev.bridle.core.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Runs jobs on the test's thread when it says so, and counts them. */
final class Jobs implements Executor {
  private final BlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();
  private boolean refusing;

  /** Takes no jobs from now on, or takes them again. */
  void refuse(boolean refuses) {
    refusing = refuses;
  }

  @Override
  public void execute(Runnable job) {
    if (refusing) {
      throw new RejectedExecutionException("no thread");
    }
    asked.add(job);
  }

  /** Runs all jobs, and returns how many there were. */
  int run() {
    return run(asked.poll());
  }

  /** Returns a job that was asked for, or that a thread of the store is about to ask for. */
  Runnable next() throws InterruptedException {
    Runnable next = asked.poll(60, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  /** Runs all jobs once there is one. */
  int awaitAndRun() throws InterruptedException {
    return run(next());
  }

  private int run(Runnable first) {
    int count = 0;
    for (Runnable next = first; next != null; next = asked.poll()) {
      next.run();
      count++;
    }
    return count;
  }
}
