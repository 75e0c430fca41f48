package dev.bridle.core.integrations.connector.polling;

import dev.bridle.core.kernel.outbound.OutboundResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Parses the Retry-After header, which holds seconds or a date. */
public final class RetryAfter {
  /** The upper bound of a requested delay. */
  static final Duration LONGEST = Duration.ofHours(1);

  private RetryAfter() {}

  /** Returns the requested delay, at most {@link #LONGEST}; zero without the header. */
  public static Duration of(OutboundResponse answer, Instant now) {
    Duration asked =
        answer.header("retry-after").map(value -> read(value.strip(), now)).orElse(Duration.ZERO);
    Duration bounded = asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
    return bounded.isNegative() ? Duration.ZERO : bounded;
  }

  private static Duration read(String value, Instant now) {
    if (value.matches("[0-9]{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(value));
    }
    try {
      return Duration.between(
          now, ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Duration.ZERO;
    }
  }
}
