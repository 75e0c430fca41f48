package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;
import dev.bridle.record.v1.EventRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The running SHA-256 over a task's log: one line of canonical JSON for each event, with its
 * number, kind, time, actor and commitment, and nothing that depends on the versionstamp of the
 * commit or on deliveries. The state between two events is kept with the task, so the digest at its
 * end costs the same however long it was.
 */
public final class LogDigest {
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final long MILLIS_OF_DAY = 86_400_000;
  private static final long YEAR_10000 = 253_402_300_800_000L;

  private LogDigest() {}

  /** Returns the state after one more event. An empty state is that of an empty log. */
  public static ByteString append(ByteString state, EventRecord event) {
    return RunningSha256.append(state, line(event).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the digest of a state. */
  public static byte[] finish(ByteString state) {
    return RunningSha256.finish(state);
  }

  /**
   * Returns an event's line: RFC 8785 by construction, since its members are sorted texts and one
   * small integer.
   */
  static String line(EventRecord event) {
    StringBuilder line = new StringBuilder(256).append("{\"actor\":\"");
    quote(event.getActor(), line);
    line.append("\",\"commitment\":\"sha256:")
        .append(HexFormat.of().formatHex(event.getCommitment().toByteArray()))
        .append("\",\"created_at\":\"")
        .append(time(event.getCreatedAt()))
        .append("\",\"event\":\"");
    quote(event.getEvent(), line);
    return line.append("\",\"sequence\":").append(event.getSequence()).append("}\n").toString();
  }

  /** Returns the time as {@link #MILLIS} formats it; much faster for years of four digits. */
  private static String time(long millis) {
    if (millis < 0 || millis >= YEAR_10000) {
      return MILLIS.format(Instant.ofEpochMilli(millis));
    }
    char[] text = "0000-00-00T00:00:00.000Z".toCharArray();
    LocalDate date = LocalDate.ofEpochDay(millis / MILLIS_OF_DAY);
    int ofDay = (int) (millis % MILLIS_OF_DAY);
    put(text, 3, date.getYear());
    put(text, 6, date.getMonthValue());
    put(text, 9, date.getDayOfMonth());
    put(text, 12, ofDay / 3_600_000);
    put(text, 15, ofDay / 60_000 % 60);
    put(text, 18, ofDay / 1000 % 60);
    put(text, 22, ofDay % 1000);
    return new String(text);
  }

  /** Writes a number so that it ends at an index. */
  private static void put(char[] text, int last, int number) {
    int at = last;
    for (int rest = number; rest > 0; rest /= 10) {
      text[at--] = (char) ('0' + rest % 10);
    }
  }

  /** Escapes text as RFC 8785 does, in lower-case hex where there is no short form. */
  private static void quote(String text, StringBuilder out) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\t' -> out.append("\\t");
        case '\n' -> out.append("\\n");
        case '\f' -> out.append("\\f");
        case '\r' -> out.append("\\r");
        default -> {
          if (c < 0x20) {
            out.append("\\u00").append(HexFormat.of().toHexDigits((byte) c));
          } else {
            out.append(c);
          }
        }
      }
    }
  }
}
