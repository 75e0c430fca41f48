package dev.bridle.cli.console;

import java.io.PrintWriter;
import java.io.Writer;

/**
 * Output that people read at a terminal. A command that is given any other writer prints what
 * scripts parse.
 */
public final class TerminalWriter extends PrintWriter {
  /** The system property by which the `bridle` script says that stdout is a terminal. */
  public static final String PROPERTY = "bridle.terminal";

  /** Writes to that. */
  public TerminalWriter(Writer out) {
    super(out, true);
  }
}
