package dev.bridle.core.work.replay;

import java.time.Duration;

/**
 * Timing of replays.
 *
 * @param workerWait how long a replay whose handler is to run waits for a worker that runs it;
 *     default 2 minutes
 */
public record ReplayOptions(Duration workerWait) {
  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofHours(24);

  /** The defaults. */
  public static final ReplayOptions DEFAULT = new ReplayOptions(Duration.ofMinutes(2));

  /** Checks that the wait is between a second and a day. */
  public ReplayOptions {
    if (workerWait.compareTo(LEAST) < 0 || workerWait.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "the replay worker wait is " + workerWait + ", expected " + LEAST + " to " + MOST);
    }
  }
}
