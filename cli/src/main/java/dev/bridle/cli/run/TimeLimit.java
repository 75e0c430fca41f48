package dev.bridle.cli.run;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** How long a command may take, from its start; without a limit, as long as it takes. */
final class TimeLimit {
  private final Optional<Duration> span;
  private final ScheduledExecutorService timer;
  private final long begin = System.nanoTime();

  TimeLimit(Optional<Duration> span, ScheduledExecutorService timer) {
    this.span = span;
    this.timer = timer;
  }

  boolean isOver() {
    return span.isPresent() && left(span.get()) <= 0;
  }

  /** Runs something once the time is up, on a thread of the timer. */
  void whenOver(Runnable step) {
    if (span.isPresent()) {
      var unused = timer.schedule(step, Math.max(0, left(span.get())), TimeUnit.NANOSECONDS);
    }
  }

  private long left(Duration whole) {
    return begin + whole.toNanos() - System.nanoTime();
  }
}
