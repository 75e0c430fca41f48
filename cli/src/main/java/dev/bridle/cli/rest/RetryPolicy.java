package dev.bridle.cli.rest;

import dev.bridle.cli.console.Timeouts;
import java.time.Duration;

/**
 * For how long a call is repeated over a connection that can't be made or that broke.
 *
 * @param firstConnection while a server that has not been reached before refuses connections
 * @param reconnect while a server that has been reached breaks or refuses connections
 * @param pause between two attempts
 */
record RetryPolicy(Duration firstConnection, Duration reconnect, Duration pause) {
  static final RetryPolicy DEFAULT =
      new RetryPolicy(Timeouts.FIRST_CONNECTION, Timeouts.RECONNECT, Timeouts.RETRY_PAUSE);
}
