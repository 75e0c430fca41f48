package dev.bridle.core.integrations.connector.polling;

import java.time.Duration;

/**
 * How connectors poll.
 *
 * @param leastInterval how far the polls of a connector must lie apart
 * @param firstWait how long to wait after a poll failed once; doubles each time
 * @param longestWait how long to wait at most, where the connector's own interval is not longer
 * @param claimTime how long one process has for a page before another may poll
 * @param slots how many polls are under way at once
 * @param slotsOfTenant how many of them are one tenant's
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

  /** Returns these options with another bound of intervals. */
  public PollOptions withLeastInterval(Duration least) {
    return new PollOptions(least, firstWait, longestWait, claimTime, slots, slotsOfTenant);
  }
}
