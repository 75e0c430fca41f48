package dev.bridle.cli.acp;

import dev.bridle.cli.console.Timeouts;

/** Counts the requests that are answered soon, so that the end of the input can wait for them. */
final class ShortRequests {
  private int open;

  synchronized void begin() {
    open++;
  }

  synchronized void end() {
    open--;
    notifyAll();
  }

  /** Waits until all are answered, but not for ever. */
  synchronized void await() throws InterruptedException {
    long until = System.nanoTime() + Timeouts.LAST_ANSWERS.toNanos();
    while (open > 0) {
      long left = (until - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }
}
