package dev.bridle.cli.up;

import java.time.Duration;

/** Tells when a process becomes idle, from looks at how much processor time it took so far. */
final class Idleness {
  /** A server takes less than this share of one processor while nobody uses it. */
  private static final double BUSY_SHARE = 0.05;

  /** Whoever pauses between two requests is not gone yet. */
  private static final int QUIET_LOOKS = 2;

  private Duration processor;
  private Duration clock;
  private int quietLooks;

  /**
   * Begins with a process that counts as busy.
   *
   * @param processor the processor time that it took so far
   * @param clock the time by a clock that only goes forward
   */
  Idleness(Duration processor, Duration clock) {
    this.processor = processor;
    this.clock = clock;
  }

  /** Takes a look, and returns whether it is the one that finds the process idle: one each time. */
  boolean begins(Duration processorNow, Duration clockNow) {
    double took = processorNow.minus(processor).toNanos();
    boolean busy = took > BUSY_SHARE * clockNow.minus(clock).toNanos();
    processor = processorNow;
    clock = clockNow;
    quietLooks = busy ? 0 : Math.min(quietLooks + 1, QUIET_LOOKS + 1);
    return quietLooks == QUIET_LOOKS;
  }
}
