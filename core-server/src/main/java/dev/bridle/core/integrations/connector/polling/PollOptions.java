package dev.bridle.core.integrations.connector.polling;

import java.time.Duration;

/**
 * Options of polling connectors.
 *
 * @param leastInterval the minimum polling interval
 * @param firstWait the delay after the first failure; doubles with each further one
 * @param longestWait the maximum delay, unless the connector's interval is longer
 * @param claimTime how long a claim on a page is valid
 * @param slots the maximum number of concurrent polls
 * @param slotsOfTenant the maximum number of concurrent polls of one tenant
 */
public record PollOptions(
    Duration leastInterval,
    Duration firstWait,
    Duration longestWait,
    Duration claimTime,
    int slots,
    int slotsOfTenant) {
  /** The defaults. */
  public static final PollOptions DEFAULT =
      new PollOptions(
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofHours(1),
          Duration.ofMinutes(1),
          64,
          8);

  /** Returns these options with another minimum interval. */
  public PollOptions withLeastInterval(Duration least) {
    return new PollOptions(least, firstWait, longestWait, claimTime, slots, slotsOfTenant);
  }
}
