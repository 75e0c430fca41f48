package dev.bridle.host.task;

import dev.bridle.host.process.AgentProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What one process has of the memory for all: its bound, or, if it has none, what it is seen to
 * have, and an assumed amount at least, since it grows after its start. Thread-safe.
 */
final class TakenMemory {
  private static final long ASSUMED = 256L << 20;
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final MemoryBudget budget;
  private final boolean isBound;
  private long bytes;
  private boolean isOver;
  private Future<?> looks = CompletableFuture.completedFuture(null);

  private TakenMemory(MemoryBudget budget, boolean isBound, long bytes) {
    this.budget = budget;
    this.isBound = isBound;
    this.bytes = bytes;
  }

  /** Takes memory for a process; empty if so much is not left. */
  static Optional<TakenMemory> take(MemoryBudget budget, OptionalLong bound) {
    long bytes = bound.orElse(Math.min(ASSUMED, budget.total()));
    return budget.tryTake(bytes)
        ? Optional.of(new TakenMemory(budget, bound.isPresent(), bytes))
        : Optional.empty();
  }

  /** Counts what a process has from now on, if it has no bound. */
  synchronized void watch(AgentProcess process, ScheduledExecutorService timer) {
    if (!isBound && !isOver && !budget.isUnlimited()) {
      looks =
          timer.scheduleWithFixedDelay(
              () -> count(process.residentBytes()),
              LOOK.toMillis(),
              LOOK.toMillis(),
              TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void count(long resident) {
    if (!isOver) {
      long now = Math.max(resident, Math.min(ASSUMED, budget.total()));
      budget.count(bytes, now);
      bytes = now;
    }
  }

  /** The process has ended. */
  synchronized void giveBack() {
    if (!isOver) {
      isOver = true;
      looks.cancel(false);
      budget.giveBack(bytes);
    }
  }
}
