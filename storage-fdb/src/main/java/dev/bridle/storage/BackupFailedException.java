package dev.bridle.storage;

/** Thrown when a backup can't be created or read. The message says what to do. */
public final class BackupFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception. */
  public BackupFailedException(String message) {
    super(message);
  }

  /** Creates an exception with a cause. */
  public BackupFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
