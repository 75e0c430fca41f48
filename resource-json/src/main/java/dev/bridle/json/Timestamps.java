package dev.bridle.json;

import com.google.protobuf.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Reads and writes RFC 3339 timestamps: written in UTC with milliseconds, read with any offset and
 * up to nanoseconds.
 */
public final class Timestamps {

  private Timestamps() {}

  /** Writes {@code 2026-04-25T19:00:00.000Z}. Years before 0 and after 9999 do not occur. */
  public static String format(Timestamp timestamp) {
    OffsetDateTime time =
        Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos())
            .atOffset(ZoneOffset.UTC);
    char[] text = "0000-00-00T00:00:00.000Z".toCharArray();
    put(text, 4, time.getYear());
    put(text, 7, time.getMonthValue());
    put(text, 10, time.getDayOfMonth());
    put(text, 13, time.getHour());
    put(text, 16, time.getMinute());
    put(text, 19, time.getSecond());
    put(text, 23, time.getNano() / 1_000_000);
    return new String(text);
  }

  /** Parses a text; returns empty if it is not an RFC 3339 timestamp. */
  public static Optional<Timestamp> parse(String text) {
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      return Optional.of(
          Timestamp.newBuilder()
              .setSeconds(instant.getEpochSecond())
              .setNanos(instant.getNano())
              .build());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static void put(char[] text, int end, int value) {
    int rest = value;
    for (int at = end - 1; rest > 0; at--) {
      text[at] = (char) ('0' + rest % 10);
      rest /= 10;
    }
  }
}
