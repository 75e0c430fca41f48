package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** The attempts of one call: says after each failure whether there is time for another. */
final class Attempts {
  private final Duration pause;
  private OptionalLong firstFailure = OptionalLong.empty();

  Attempts(Duration pause) {
    this.pause = pause;
  }

  /** Forgets the failures so far, after an attempt that got on. */
  void reset() {
    firstFailure = OptionalLong.empty();
  }

  /** Returns whether all attempts so far were good. */
  boolean isUndisturbed() {
    return firstFailure.isEmpty();
  }

  /**
   * Notes a failure. Pauses and returns true where another attempt fits into the window, which
   * begins with the first failure.
   */
  boolean retryWithin(Duration window) {
    long now = System.nanoTime();
    long begin = firstFailure.orElse(now);
    firstFailure = OptionalLong.of(begin);
    if (now - begin + pause.toNanos() > window.toNanos()) {
      return false;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
    }
  }
}
