package dev.bridle.cli.console;

import java.io.PrintWriter;
import java.io.Writer;

/** Marks output to a terminal. With any other writer, a command prints the format for scripts. */
public final class TerminalWriter extends PrintWriter {
  /** The system property that the `bridle` script sets if stdout is a terminal. */
  public static final String PROPERTY = "bridle.terminal";

  /** The system property that the `bridle` script sets if stderr is a terminal. */
  public static final String ERRORS_PROPERTY = "bridle.terminal.errors";

  /** Creates a terminal writer on top of another writer. */
  public TerminalWriter(Writer out) {
    super(out, true);
  }
}
