package dev.bridle.core.kernel.event;

import com.google.protobuf.ByteString;
import dev.bridle.record.v1.EventRecord;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import org.bouncycastle.crypto.digests.SHA256Digest;

/**
 * The running SHA-256 over a task's log: one line of canonical JSON for each event, with its
 * number, kind, time, actor and commitment, and nothing that depends on the versionstamp of the
 * commit or on deliveries. The state between two events is kept with the task, so the digest at its
 * end costs the same however long it was.
 */
public final class LogDigest {
  private LogDigest() {}

  /** Returns the state after one more event. An empty state is that of an empty log. */
  public static ByteString append(ByteString state, EventRecord event) {
    SHA256Digest digest =
        state.isEmpty() ? new SHA256Digest() : new SHA256Digest(state.toByteArray());
    byte[] line = line(event).getBytes(StandardCharsets.UTF_8);
    digest.update(line, 0, line.length);
    return ByteString.copyFrom(digest.getEncodedState());
  }

  /** Returns the digest of a state. */
  public static byte[] finish(ByteString state) {
    SHA256Digest digest =
        state.isEmpty() ? new SHA256Digest() : new SHA256Digest(state.toByteArray());
    byte[] out = new byte[digest.getDigestSize()];
    digest.doFinal(out, 0);
    return out;
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
        .append("\",\"created_at\":\"");
    time(event.getCreatedAt(), line);
    line.append("\",\"event\":\"");
    quote(event.getEvent(), line);
    return line.append("\",\"sequence\":").append(event.getSequence()).append("}\n").toString();
  }

  /**
   * Appends a time as RFC 3339 in UTC with milliseconds: a formatter takes several times as long.
   */
  private static void time(long unixMillis, StringBuilder out) {
    LocalDateTime at =
        LocalDateTime.ofEpochSecond(Math.floorDiv(unixMillis, 1000L), 0, ZoneOffset.UTC);
    digits(at.getYear(), 1000, out);
    digits(at.getMonthValue(), 10, out.append('-'));
    digits(at.getDayOfMonth(), 10, out.append('-'));
    digits(at.getHour(), 10, out.append('T'));
    digits(at.getMinute(), 10, out.append(':'));
    digits(at.getSecond(), 10, out.append(':'));
    digits(Math.floorMod(unixMillis, 1000), 100, out.append('.'));
    out.append('Z');
  }

  /** Appends a number, from the digit of a power of ten on. */
  private static void digits(int number, int power, StringBuilder out) {
    for (int at = power; at > 0; at /= 10) {
      out.append((char) ('0' + number / at % 10));
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
