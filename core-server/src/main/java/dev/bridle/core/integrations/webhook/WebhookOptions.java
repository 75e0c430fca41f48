package dev.bridle.core.integrations.webhook;

import java.time.Duration;

/**
 * How deliveries are sent.
 *
 * @param firstWait how long a delivery waits after it was not taken once; doubles each time
 * @param longestWait how long it waits at most
 * @param claimTime how long one process has to send a delivery before another may
 * @param slots how many deliveries are under way to one webhook
 * @param slotsOfTenant how many are under way for one tenant
 * @param longestUnstored how long it is not stored that a webhook is past events it did not want
 * @param watching whether what happens is seen at once, and not only from time to time
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

  /** Returns these options with other times to wait. */
  public WebhookOptions withWaits(Duration first, Duration longest) {
    return new WebhookOptions(
        first, longest, claimTime, slots, slotsOfTenant, longestUnstored, watching);
  }

  /** Returns these options with other times that a process has to itself. */
  public WebhookOptions withClaims(Duration time, Duration unstored) {
    return new WebhookOptions(
        firstWait, longestWait, time, slots, slotsOfTenant, unstored, watching);
  }

  /** Returns these options for a process that looks only from time to time. */
  public WebhookOptions withoutWatching() {
    return new WebhookOptions(
        firstWait, longestWait, claimTime, slots, slotsOfTenant, longestUnstored, false);
  }
}
