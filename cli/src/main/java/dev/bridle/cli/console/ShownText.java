package dev.bridle.cli.console;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jline.utils.WCWidth;

/**
 * Makes text that somebody else wrote safe to print: an agent, a tool or a client must not move the
 * cursor, hide or reorder what a person reads, or forge lines of ours. What can't be seen becomes
 * its code point, such as {@code ⟨U+202E⟩}; so do the two brackets themselves, and long blanks are
 * counted. All else stays as it is.
 */
public final class ShownText {
  /** Begins each line of a text of several lines, which so can't be taken for one of ours. */
  private static final String BAR = "│ ";

  private static final int MAX_BLANKS = 24;

  /** More marks than languages put on one letter can cover the lines above and below. */
  private static final int MAX_MARKS = 3;

  private ShownText() {}

  /** Returns a text as one line. */
  public static String line(String text) {
    return line(text, 0, false);
  }

  /**
   * Returns a message of ours, of one line or several, in which others may have words. What was
   * made safe before stays as it is.
   */
  public static String message(String text) {
    return Arrays.stream(text.split("\n", -1))
        .map(line -> line(line, 0, true))
        .collect(Collectors.joining("\n"));
  }

  /**
   * Returns a piece of a line that comes in pieces: marks at its begin would join those that the
   * piece before had.
   */
  public static String piece(String text) {
    return line(text, MAX_MARKS, false);
  }

  /**
   * Returns JSON with the same meaning that a terminal shows as it is: what is neither ASCII, nor a
   * letter or digit, is escaped.
   */
  public static String json(String json) {
    StringBuilder shown = new StringBuilder(json.length() + 16);
    for (int i = 0; i < json.length(); i++) {
      char unit = json.charAt(i);
      boolean letter =
          Character.isLetterOrDigit(unit) && isVisible(unit) && WCWidth.wcwidth(unit) > 0;
      if ((unit >= ' ' && unit <= '~') || letter) {
        shown.append(unit);
      } else {
        shown.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
      }
    }
    return shown.toString();
  }

  private static String line(String text, int marksBefore, boolean hasNames) {
    StringBuilder shown = new StringBuilder(text.length() + 16);
    int blanks = 0;
    int marks = marksBefore;
    for (int at = 0; at < text.length(); ) {
      int point = text.codePointAt(at);
      at += Character.charCount(point);
      if (point == ' ') {
        blanks++;
        continue;
      }
      addBlanks(shown, blanks);
      blanks = 0;
      marks = isMark(point) ? marks + 1 : 0;
      boolean isOfName = hasNames && (point == '⟨' || point == '⟩');
      if (isOfName || (isVisible(point) && marks <= MAX_MARKS)) {
        shown.appendCodePoint(point);
      } else {
        shown.append(named(point));
      }
    }
    addBlanks(shown, blanks);
    return shown.toString();
  }

  /** Returns the lines of a text, each behind a bar; a tab is two blanks. */
  public static List<String> lines(String text) {
    return text.lines().map(ShownText::barred).toList();
  }

  /** Returns a line of a text behind a bar; a tab is two blanks. */
  public static String barred(String line) {
    return BAR + line(line.replace("\t", "  "));
  }

  private static void addBlanks(StringBuilder shown, int blanks) {
    if (blanks > MAX_BLANKS) {
      shown.append("⟨").append(blanks).append(" blanks⟩");
    } else {
      shown.append(" ".repeat(blanks));
    }
  }

  private static String named(int point) {
    return String.format(Locale.ROOT, "⟨U+%04X⟩", point);
  }

  private static boolean isMark(int point) {
    int type = Character.getType(point);
    return type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || WCWidth.wcwidth(point) == 0; // As parts of Korean syllables.
  }

  private static boolean isVisible(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          false;
      default -> !isBlank(point) && !isSelector(point) && point != '⟨' && point != '⟩';
    };
  }

  /** Letters and signs that show nothing. */
  private static boolean isBlank(int point) {
    return point == 0x115F
        || point == 0x1160
        || point == 0x2800
        || point == 0x3164
        || point == 0xFFA0
        || point == 0x034F
        || point == 0x17B4
        || point == 0x17B5;
  }

  /** Variation selectors can carry any bytes unseen. */
  private static boolean isSelector(int point) {
    return (point >= 0xFE00 && point <= 0xFE0F)
        || (point >= 0xE0100 && point <= 0xE01EF)
        || (point >= 0x180B && point <= 0x180F);
  }
}
