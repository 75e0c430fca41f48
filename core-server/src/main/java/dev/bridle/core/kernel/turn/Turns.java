package dev.bridle.core.kernel.turn;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Does a piece of work on an executor whenever it is asked for: never twice at once, and once more
 * after the last asking. A round of work says whether there is more to do; a round that throws is
 * told and ends the turn.
 */
public final class Turns {
  private final Executor executor;
  private final BooleanSupplier round;
  private final Consumer<RuntimeException> failed;
  private final AtomicInteger asked = new AtomicInteger();

  public Turns(Executor executor, BooleanSupplier round, Consumer<RuntimeException> failed) {
    this.executor = executor;
    this.round = round;
    this.failed = failed;
  }

  /** Asks for the work, from any thread. */
  public void ask() {
    if (asked.getAndIncrement() == 0) {
      executor.execute(this::run);
    }
  }

  private void run() {
    int seen = asked.get();
    while (seen != 0) {
      try {
        boolean more = true;
        while (more) {
          more = round.getAsBoolean();
        }
      } catch (RuntimeException e) {
        failed.accept(e);
      }
      seen = asked.addAndGet(-seen);
    }
  }
}
