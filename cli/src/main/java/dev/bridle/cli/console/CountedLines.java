package dev.bridle.cli.console;

import java.util.ArrayList;
import java.util.List;

/**
 * The lines of a text as somebody else wrote it, and what tells texts with the same lines apart:
 * whether the last line ends, and how, may matter to what is done.
 *
 * @param parts the lines, without what ends them; not safe to print
 * @param count how many they are and how they end, for a person
 */
public record CountedLines(List<String> parts, String count) {
  /** Copies the lines. */
  public CountedLines {
    parts = List.copyOf(parts);
  }

  /** Returns the lines of a text. Only LF, or CR LF where all lines have it, ends a line. */
  public static CountedLines of(String text) {
    boolean ends = text.endsWith("\n");
    String joined = text.replace("\r\n", "\n");
    boolean dos =
        joined.indexOf('\r') < 0
            && text.length() - joined.length() == joined.chars().filter(c -> c == '\n').count();
    List<String> parts = new ArrayList<>(List.of((dos ? joined : text).split("\n", -1)));
    if (ends) {
      parts.remove(parts.size() - 1);
    }
    return new CountedLines(
        parts,
        parts.size()
            + (parts.size() == 1 ? " line" : " lines")
            + (dos ? ", which end in CR LF" : "")
            + (ends ? "" : ", without a line break at the end"));
  }
}
