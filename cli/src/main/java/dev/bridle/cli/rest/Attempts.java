package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Tracks the attempts of one call and decides after each failure whether another attempt fits into
 * the retry window.
 */
final class Attempts {
  private final Duration pause;
  private OptionalLong firstFailure = OptionalLong.empty();

  Attempts(Duration pause) {
    this.pause = pause;
  }

  /** Forgets earlier failures, after an attempt that made progress. */
  void reset() {
    firstFailure = OptionalLong.empty();
  }

  /** Returns whether no attempt has failed since the last reset. */
  boolean isUndisturbed() {
    return firstFailure.isEmpty();
  }

  /**
   * Records a failure. Pauses and returns true if another attempt fits into the window, which
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
