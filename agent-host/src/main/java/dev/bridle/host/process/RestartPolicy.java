package dev.bridle.host.process;

import java.time.Duration;

/**
 * How often an agent that ends by itself is started again.
 *
 * @param restarts how often in a row, 0 for never
 * @param pause before the first of them; each further one waits twice as long
 * @param longestPause the most of that
 */
public record RestartPolicy(int restarts, Duration pause, Duration longestPause) {
  /** Three times, after 0.5, 1 and 2 s. */
  public static final RestartPolicy DEFAULT =
      new RestartPolicy(3, Duration.ofMillis(500), Duration.ofSeconds(30));

  /** Checks that nothing is negative. */
  public RestartPolicy {
    if (restarts < 0 || pause.isNegative() || longestPause.isNegative()) {
      throw new IllegalArgumentException("a policy of restarts has no negative numbers and times");
    }
  }

  /** The pause before a restart, counted from 1. */
  public Duration pauseBefore(int restart) {
    Duration doubled = pause.multipliedBy(1L << Math.min(restart - 1, 30));
    return doubled.compareTo(longestPause) > 0 ? longestPause : doubled;
  }
}
