package dev.bridle.core.integrations.connector;

import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.core.integrations.connector.polling.PollOptions;
import dev.bridle.core.integrations.connector.polling.PollTimes;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long a poll waits that could not be made, or failed. */
final class PollWaits {
  private final PollOptions options;
  private final RandomGenerator random;

  PollWaits(PollOptions options, RandomGenerator random) {
    this.options = options;
    this.random = random;
  }

  /** Returns how long one is put off that finds no room. */
  Duration putOff() {
    return partly(options.firstWait(), Duration.ZERO);
  }

  /**
   * Doubles with each failure in a row, up to the longest, or to the interval if that is longer.
   *
   * @param asked what the other side asks for
   */
  Duration after(int failures, ConnectorPolling polling, Duration asked) {
    Duration every = PollTimes.every(polling);
    Duration longest = options.longestWait();
    Duration bound = every.compareTo(longest) > 0 ? every : longest;
    Duration doubled = options.firstWait().multipliedBy(1L << Math.min(failures - 1, 16));
    return partly(doubled.compareTo(bound) > 0 ? bound : doubled, asked);
  }

  /** Leaves up to half of a time to chance, but keeps to what was asked for. */
  private Duration partly(Duration most, Duration asked) {
    long half = most.toMillis() / 2;
    long chosen = half + random.nextLong(half + 1);
    return Duration.ofMillis(Math.max(chosen, asked.toMillis()));
  }
}
