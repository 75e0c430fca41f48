package dev.bridle.storage.embedded;

/**
 * Thrown when a store can't be opened; the message says why and what to do. The directory is
 * unchanged.
 */
public final class OpenRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why a store was not opened. */
  public enum Reason {
    /** Another process, or another store of this process, has the directory open. */
    IN_USE,
    /** Acknowledged commits are missing; see {@link EmbeddedOptions#acceptLoss()}. */
    ACKNOWLEDGED_DATA_MISSING,
    /** Another release of Bridle wrote the directory in a format that this one does not know. */
    UNKNOWN_FORMAT,
    /**
     * Files are missing or damaged, and with them acknowledged commits; see {@link
     * EmbeddedOptions#acceptLoss()}.
     */
    DAMAGED,
    /** The files can't be read or written; see the cause. */
    UNREADABLE
  }

  private final Reason reason;

  OpenRefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  OpenRefusedException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Returns why the store was not opened. */
  public Reason reason() {
    return reason;
  }
}
