package dev.bridle.core.integrations.harpsession;

import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpException;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time of an event, to the nanosecond: two events of one second keep their order.
 *
 * @param instant the time
 */
record EventTime(Instant instant) implements Comparable<EventTime> {
  private static final Pattern FRACTION = Pattern.compile("[.]([0-9]+)");
  private static final int DIGITS = 9;

  /** Parses a time as RFC 3339 spells it. */
  static EventTime parse(String text) throws HarpException {
    Matcher fraction = FRACTION.matcher(text);
    long nanos =
        fraction.find()
            ? Long.parseLong((fraction.group(1) + "0".repeat(DIGITS)).substring(0, DIGITS))
            : 0;
    return new EventTime(Times.parse(text).plusNanos(nanos));
  }

  /** Returns the time as a text whose order is that of the times, from the year 0 to 9999. */
  String key() {
    // Seconds before 1970 would be negative, and so in the wrong order.
    long seconds = instant.getEpochSecond() + 100_000_000_000L;
    return String.format(Locale.ROOT, "%012d.%09d", seconds, instant.getNano());
  }

  long millis() {
    return instant.toEpochMilli();
  }

  @Override
  public int compareTo(EventTime other) {
    return instant.compareTo(other.instant);
  }
}
