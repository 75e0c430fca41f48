package dev.bridle.cli.rest;

import dev.bridle.cli.console.Timeouts;
import java.time.Duration;

/**
 * How long a call is retried when the connection fails.
 *
 * @param firstConnection the retry window for a server that has not been reached before
 * @param reconnect the retry window for a server that has been reached before
 * @param pause the pause between two attempts
 */
record RetryPolicy(Duration firstConnection, Duration reconnect, Duration pause) {
  static final RetryPolicy DEFAULT =
      new RetryPolicy(Timeouts.FIRST_CONNECTION, Timeouts.RECONNECT, Timeouts.RETRY_PAUSE);
}
