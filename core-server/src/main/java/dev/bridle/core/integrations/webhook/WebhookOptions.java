package dev.bridle.core.integrations.webhook;

import java.time.Duration;

/**
 * Options of webhook deliveries.
 *
 * @param firstWait the delay after the first failed attempt; doubles with each further one
 * @param longestWait the maximum delay
 * @param claimTime how long a claim on a delivery is valid
 * @param slots the maximum number of concurrent deliveries to one webhook
 * @param slotsOfTenant the maximum number of concurrent deliveries of one tenant
 * @param longestUnstored how long a position that moved past unmatched events may stay unstored
 * @param watching whether to watch the event feed, and not only to poll it
 */
public record WebhookOptions(
    Duration firstWait,
    Duration longestWait,
    Duration claimTime,
    int slots,
    int slotsOfTenant,
    Duration longestUnstored,
    boolean watching) {
  /** The defaults. */
  public static final WebhookOptions DEFAULT =
      new WebhookOptions(
          Duration.ofSeconds(5),
          Duration.ofHours(1),
          Duration.ofMinutes(1),
          4,
          32,
          Duration.ofMinutes(1),
          true);

  /** Returns these options with other delays. */
  public WebhookOptions withWaits(Duration first, Duration longest) {
    return new WebhookOptions(
        first, longest, claimTime, slots, slotsOfTenant, longestUnstored, watching);
  }

  /** Returns these options with another claim time and another limit for unstored positions. */
  public WebhookOptions withClaims(Duration time, Duration unstored) {
    return new WebhookOptions(
        firstWait, longestWait, time, slots, slotsOfTenant, unstored, watching);
  }

  /** Returns these options without watching, so that feeds are only polled. */
  public WebhookOptions withoutWatching() {
    return new WebhookOptions(
        firstWait, longestWait, claimTime, slots, slotsOfTenant, longestUnstored, false);
  }
}
