package dev.bridle.core.integrations.connector.polling;

import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.core.integrations.schedule.RunTimes;
import dev.bridle.core.kernel.error.ProtocolException;
import java.time.Duration;
import java.time.Instant;

/** When a connector polls. */
public final class PollTimes {
  private PollTimes() {}

  /**
   * Returns when the first poll is: at once, or at the first time of its cron expression.
   *
   * @throws ProtocolException {@code invalid_request} where there is none
   */
  public static Instant first(ConnectorPolling polling, Instant now) {
    return polling.hasCron() ? cron(polling, now) : now;
  }

  /** Returns when the poll after one is that began then and ended now. */
  public static Instant next(ConnectorPolling polling, Instant began, Instant now) {
    if (polling.hasCron()) {
      return cron(polling, now);
    }
    Instant next = began.plus(every(polling));
    return next.isBefore(now) ? now : next;
  }

  /** Returns how far polls lie apart; a minute, which is the least there is, for cron. */
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
