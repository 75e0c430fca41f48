package dev.bridle.core.integrations.connector.polling;

import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.core.integrations.schedule.RunTimes;
import dev.bridle.core.kernel.error.ProtocolException;
import java.time.Duration;
import java.time.Instant;

/** Computes when a connector polls. */
public final class PollTimes {
  private PollTimes() {}

  /**
   * Returns when the first poll is due: now, or at the first time of the cron expression.
   *
   * @throws ProtocolException {@code invalid_request} if there is none
   */
  public static Instant first(ConnectorPolling polling, Instant now) {
    return polling.hasCron() ? cron(polling, now) : now;
  }

  /**
   * Returns when the next poll is due after one that started at {@code began} and ended {@code
   * now}.
   */
  public static Instant next(ConnectorPolling polling, Instant began, Instant now) {
    if (polling.hasCron()) {
      return cron(polling, now);
    }
    Instant next = began.plus(every(polling));
    return next.isBefore(now) ? now : next;
  }

  /** Returns the polling interval; for cron a minute, the shortest one possible. */
  public static Duration every(ConnectorPolling polling) {
    return polling.hasCron()
        ? Duration.ofMinutes(1)
        : Duration.ofSeconds(polling.getIntervalSeconds());
  }

  private static Instant cron(ConnectorPolling polling, Instant now) {
    return RunTimes.ofCron(
            polling.getCron(),
            "polling.cron",
            polling.getTimeZone().isEmpty() ? "UTC" : polling.getTimeZone(),
            "polling.time_zone")
        .after(now)
        .orElseThrow(
            () -> ProtocolException.invalid("polling.cron", "names no time that is still to come"));
  }
}
