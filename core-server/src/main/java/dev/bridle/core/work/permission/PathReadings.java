package dev.bridle.core.work.permission;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How programs may read a text as the path of a file. A text of several lines is content rather
 * than a name; but programs leave out blanks at its ends, some take the first line of it, and all
 * take a name with a line break for one that {@code ..} leads out of.
 */
public final class PathReadings {
  private static final Pattern PARENT = Pattern.compile("(^|[/\\\\])\\.\\.([/\\\\]|$)");
  private static final Pattern ESCAPED = Pattern.compile("%[0-9a-fA-F]{2}");

  private PathReadings() {}

  /** Returns the paths that a text may name; empty for content. */
  public static List<String> of(String text) {
    Set<String> readings = new LinkedHashSet<>();
    add(text, readings);
    if (text.indexOf('%') >= 0) {
      add(decoded(text), readings);
    }
    return List.copyOf(readings);
  }

  private static void add(String text, Set<String> readings) {
    String stripped = text.strip();
    int end = stripped.indexOf('\n');
    if (end < 0) {
      readings.add(stripped);
      return;
    }
    readings.add(stripped.substring(0, end).strip());
    if (PARENT.matcher(stripped).find()) {
      readings.add(stripped);
    }
  }

  /** Returns a text without the escapes of URLs; what is none stays. */
  private static String decoded(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3);
    var escapes = ESCAPED.matcher(text);
    int at = 0;
    while (escapes.find()) {
      bytes.put(text.substring(at, escapes.start()).getBytes(StandardCharsets.UTF_8));
      bytes.put((byte) Integer.parseInt(text, escapes.start() + 1, escapes.end(), 16));
      at = escapes.end();
    }
    bytes.put(text.substring(at).getBytes(StandardCharsets.UTF_8));
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }
}
