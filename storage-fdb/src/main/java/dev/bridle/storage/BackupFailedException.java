package dev.bridle.storage;

/** A backup that could not be made or read. Its message says what to do. */
public final class BackupFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Makes a failure. */
  public BackupFailedException(String message) {
    super(message);
  }

  /** Makes a failure with what caused it. */
  public BackupFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
