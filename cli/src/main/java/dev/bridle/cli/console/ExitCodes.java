package dev.bridle.cli.console;

/** What a command's exit tells a script; the root command's help lists the same. */
public final class ExitCodes {
  /** All was done. */
  public static final int DONE = 0;

  /** The server refused, or what was asked for failed. */
  public static final int FAILED = 1;

  /** The command line can't be understood. */
  public static final int USAGE = 2;

  /** No server answered. */
  public static final int UNREACHABLE = 3;

  /** The watched task ended, but not well. */
  public static final int TASK_NOT_COMPLETED = 4;

  /** The watched task asked a question. */
  public static final int TASK_WAITS = 5;

  /** The storage check found something, and it is still wrong. */
  public static final int STORAGE_NOT_SOUND = 6;

  /** The server does not do what the protocol asks for. */
  public static final int NOT_CONFORMING = 7;

  private ExitCodes() {}
}
