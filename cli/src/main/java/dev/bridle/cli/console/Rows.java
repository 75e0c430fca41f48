package dev.bridle.cli.console;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.jline.utils.WCWidth;

/**
 * Breaks text into rows of the terminal, each behind a bar. A terminal that breaks them itself
 * would begin the next row with the text, which could then look like a line of ours.
 */
public final class Rows {
  /** Begins each row of a text that is not ours. */
  public static final String BAR = "│ ";

  private static final int NARROWEST = 20;

  private final IntSupplier columns;

  /**
   * Creates rows of a width.
   *
   * @param columns the terminal's width now
   */
  public Rows(IntSupplier columns) {
    this.columns = columns;
  }

  /** Returns the rows of an output's lines, which stay as they are if it is no terminal. */
  public static Rows of(PrintWriter out) {
    int width = out instanceof TerminalWriter ? TerminalWidth.now() : Integer.MAX_VALUE;
    return new Rows(() -> width);
  }

  /** Returns the rows of a line that begins with a prefix. */
  public List<String> of(String prefix, String line) {
    List<String> rows = new ArrayList<>();
    StringBuilder row = new StringBuilder(prefix);
    int at = width(prefix);
    for (int point : line.codePoints().toArray()) {
      if (!hasRoom(at, point)) {
        rows.add(row.toString());
        row = new StringBuilder(BAR);
        at = width(BAR);
      }
      row.appendCodePoint(point);
      at += width(point);
    }
    rows.add(row.toString());
    return rows;
  }

  /** Returns whether a row of some width has room for one more. */
  public boolean hasRoom(int at, int point) {
    return at + width(point) < Math.max(NARROWEST, columns.getAsInt());
  }

  /** Returns how many columns a text takes at most. */
  public static int width(String text) {
    return text.codePoints().map(Rows::width).sum();
  }

  /** Terminals differ in the width of signs, and in what they do with marks: the most counts. */
  public static int width(int point) {
    if (point < 0x7F) {
      return 1;
    }
    boolean narrow = Character.isLetterOrDigit(point) && WCWidth.wcwidth(point) == 1;
    boolean mark = WCWidth.wcwidth(point) == 0;
    return narrow || mark ? 1 : 2;
  }
}
