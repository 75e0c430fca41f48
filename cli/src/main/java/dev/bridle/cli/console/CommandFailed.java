package dev.bridle.cli.console;

/** Ends a command with a sentence for the user, and with an exit code; no stack trace is shown. */
public class CommandFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /** The message says what is wrong and what to do next. */
  public CommandFailed(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The same with what caused it. */
  public CommandFailed(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Returns one of {@link ExitCodes}. */
  public int exitCode() {
    return exitCode;
  }
}
