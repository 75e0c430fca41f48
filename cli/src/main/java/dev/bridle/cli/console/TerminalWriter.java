package dev.bridle.cli.console;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Arrays;

/** Marks output to a terminal. With any other writer, a command prints the format for scripts. */
public final class TerminalWriter extends PrintWriter {
  /** The system property that the `bridle` script sets if stdout is a terminal. */
  public static final String PROPERTY = "bridle.terminal";

  /** The system property that the `bridle` script sets if stderr is a terminal. */
  public static final String ERRORS_PROPERTY = "bridle.terminal.errors";

  private static final String JSON = "--json";

  /**
   * Returns a terminal's writer for a command. Where the command prints JSON, a text in it that
   * somebody else wrote can't move the cursor or reorder what is read.
   *
   * @param out the writer below it
   * @param arguments the command's arguments
   */
  public static TerminalWriter of(Writer out, String... arguments) {
    boolean json =
        Arrays.stream(arguments)
            .takeWhile(argument -> !argument.equals("--"))
            .anyMatch(argument -> argument.equals(JSON) || argument.startsWith(JSON + "="));
    return new TerminalWriter(json ? new EscapedJson(out) : out);
  }

  /** Creates a terminal writer on top of another writer. */
  public TerminalWriter(Writer out) {
    super(out, true);
  }
}
