package dev.bridle.cli.console;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A line that is safe to print, and how it is highlighted.
 *
 * @param style the style, which a terminal alone shows
 * @param text the line, which {@link ShownText} has made safe
 */
public record StyledLine(Style style, String text) {
  /** Returns a line without a style. */
  public static StyledLine plain(String text) {
    return new StyledLine(Style.PLAIN, text);
  }

  /** Prints lines, with their styles at a terminal unless NO_COLOR is set. */
  public static void print(PrintWriter out, List<StyledLine> lines) {
    print(out, lines, System::getenv);
  }

  /**
   * Prints lines, with their styles at a terminal that is asked to show them.
   *
   * @param environment returns a variable, or null (https://no-color.org)
   */
  static void print(PrintWriter out, List<StyledLine> lines, UnaryOperator<String> environment) {
    boolean styled =
        out instanceof TerminalWriter
            && isUnset(environment.apply("NO_COLOR"))
            && !"dumb".equals(environment.apply("TERM"));
    lines.forEach(line -> out.println(styled ? line.style.around(line.text) : line.text));
    out.flush();
  }

  private static boolean isUnset(String variable) {
    return variable == null || variable.isEmpty();
  }
}
