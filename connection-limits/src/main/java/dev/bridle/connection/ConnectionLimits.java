package dev.bridle.connection;

import java.time.Duration;

/**
 * Bounds of the connections of one listener. A connection that has made no call yet is
 * <em>waiting</em>; which calls count is the listener's to say.
 *
 * @param maxConnections the maximum number of open connections
 * @param maxPerAddress the maximum number of them from one address
 * @param maxWaiting the maximum number of connections that wait for their first call
 * @param maxWaitingPerAddress the maximum number of them from one address
 * @param firstCallTime the time after which a connection without a call is closed
 */
public record ConnectionLimits(
    int maxConnections,
    int maxPerAddress,
    int maxWaiting,
    int maxWaitingPerAddress,
    Duration firstCallTime) {
  /** The time in which a client has to make its first call. */
  public static final Duration DEFAULT_FIRST_CALL_TIME = Duration.ofSeconds(10);

  /** Rejects bounds that would admit no connection. */
  public ConnectionLimits {
    requirePositive("maxConnections", maxConnections);
    requirePositive("maxConnectionsPerAddress", maxPerAddress);
    requirePositive("maxWaiting", maxWaiting);
    requirePositive("maxWaitingPerAddress", maxWaitingPerAddress);
    if (firstCallTime.toMillis() < 1) {
      throw new IllegalArgumentException(
          "firstCallTime is " + firstCallTime + "; expected at least a millisecond");
    }
  }

  /**
   * Returns the bounds of a listener on which clients without credentials are served, so that
   * waiting connections are bounded as all others are.
   */
  public static ConnectionLimits of(int maxConnections, int maxPerAddress) {
    return new ConnectionLimits(
        maxConnections, maxPerAddress, maxConnections, maxPerAddress, DEFAULT_FIRST_CALL_TIME);
  }

  /** Returns a copy with another {@code maxConnections}, which no other bound exceeds. */
  public ConnectionLimits withMaxConnections(int other) {
    return new ConnectionLimits(
        other,
        Math.min(maxPerAddress, other),
        Math.min(maxWaiting, other),
        Math.min(maxWaitingPerAddress, other),
        firstCallTime);
  }

  /** Returns a copy with another {@code firstCallTime}. */
  public ConnectionLimits withFirstCallTime(Duration other) {
    return new ConnectionLimits(
        maxConnections, maxPerAddress, maxWaiting, maxWaitingPerAddress, other);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + "; expected at least 1");
    }
  }
}
