package dev.bridle.cli.console;

/** Ends a command with a message for the user and an exit code, without a stack trace. */
public class CommandFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /** Creates a failure; the message states what is wrong and what to do next. */
  public CommandFailed(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Creates a failure with its cause. */
  public CommandFailed(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Returns one of {@link ExitCodes}. */
  public int exitCode() {
    return exitCode;
  }
}
