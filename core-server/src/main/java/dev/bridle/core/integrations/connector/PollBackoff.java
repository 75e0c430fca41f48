package dev.bridle.core.integrations.connector;

import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.core.integrations.connector.polling.PollOptions;
import dev.bridle.core.integrations.connector.polling.PollTimes;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Computes the delay of postponed and failed polls. */
final class PollBackoff {
  private final PollOptions options;
  private final RandomGenerator random;

  PollBackoff(PollOptions options, RandomGenerator random) {
    this.options = options;
    this.random = random;
  }

  /** Returns the delay of a poll that found no free slot. */
  Duration putOff() {
    return withJitter(options.firstWait(), Duration.ZERO);
  }

  /**
   * Returns the delay after consecutive failures. It doubles with each failure, up to the maximum
   * or the polling interval, whichever is longer, with up to 50 % jitter.
   *
   * @param asked the delay that the server asks for, a lower bound
   */
  Duration after(int failures, ConnectorPolling polling, Duration asked) {
    Duration every = PollTimes.every(polling);
    Duration longest = options.longestWait();
    Duration bound = every.compareTo(longest) > 0 ? every : longest;
    Duration doubled = options.firstWait().multipliedBy(1L << Math.min(failures - 1, 16));
    return withJitter(doubled.compareTo(bound) > 0 ? bound : doubled, asked);
  }

  /** Applies up to 50 % jitter, never below the requested delay. */
  private Duration withJitter(Duration most, Duration asked) {
    long half = most.toMillis() / 2;
    long chosen = half + random.nextLong(half + 1);
    return Duration.ofMillis(Math.max(chosen, asked.toMillis()));
  }
}
