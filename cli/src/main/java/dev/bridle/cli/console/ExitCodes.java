package dev.bridle.cli.console;

/** The exit codes of commands, as listed in the help of the root command. */
public final class ExitCodes {
  /** The command succeeded. */
  public static final int DONE = 0;

  /** The server rejected the request, or the command failed. */
  public static final int FAILED = 1;

  /** The command line is invalid. */
  public static final int USAGE = 2;

  /** No server could be reached. */
  public static final int UNREACHABLE = 3;

  /** The watched task ended as FAILED or CANCELED. */
  public static final int TASK_NOT_COMPLETED = 4;

  /** The watched task waits for input or approval. */
  public static final int TASK_WAITS = 5;

  /** The storage check found problems that are not repaired. */
  public static final int STORAGE_NOT_SOUND = 6;

  /** The server does not conform to the protocol. */
  public static final int NOT_CONFORMING = 7;

  /** A receipt, or an audit log, is not valid. */
  public static final int RECEIPT_NOT_VALID = 8;

  /** All receipts are valid, but a check that was required could not be made. */
  public static final int RECEIPT_NOT_COMPLETE = 9;

  /** The agent could not be started, or needs a login. */
  public static final int AGENT_NOT_STARTED = 10;

  /** The agent acted without asking. */
  public static final int AGENT_DOES_NOT_ASK = 11;

  /** The task is done, and all that its agent asked for was denied. */
  public static final int ALL_DENIED = 12;

  /** The phone has not received the test yet. */
  public static final int PHONE_NOT_REACHED = 13;

  /** Interrupted by the user. */
  public static final int INTERRUPTED = 130;

  private ExitCodes() {}
}
