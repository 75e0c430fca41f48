package dev.bridle.storage;

/**
 * A failure of the store. The message is a constant sentence; {@link #code()} determines how to
 * handle it.
 */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What failed, with FoundationDB's number for it. */
  public enum Code {
    /** Another transaction wrote a key that this one read; nothing was written. Retry. */
    CONFLICT(1020, true, false),
    /** The commit was sent and its response lost: written or not, but never later. Retry. */
    COMMIT_UNKNOWN(1021, true, true),
    /** The cluster changed during the commit: written or not. Retry. */
    CLUSTER_CHANGED(1039, true, true),
    /** The transaction is older than the conflict window; nothing was written. Retry. */
    TRANSACTION_TOO_OLD(1007, true, false),
    /** The store is behind or overloaded; nothing was written. Retry later. */
    PROCESS_BEHIND(1037, true, false),
    /** The transaction ran out of its time: written or not, perhaps later. */
    TIMED_OUT(1031, false, true),
    /** The transaction was cancelled: written or not, perhaps later. */
    CANCELLED(1025, false, true),
    /** The operation was cancelled: written or not, perhaps later. */
    OPERATION_CANCELLED(1101, false, true),
    /** The transaction read a key that it had stamped itself. A caller error. */
    ACCESSED_UNREADABLE(1036, false, false),
    /** More watches than the engine allows. */
    WATCH_LIMIT(1032, false, false),
    /** A caller error: an operation after commit or close, a bad range, a bad stamp offset. */
    INVALID_OPERATION(2000, false, false),
    /** A key beyond the limit. */
    KEY_TOO_LARGE(2102, false, false),
    /** A value beyond the limit. */
    VALUE_TOO_LARGE(2103, false, false),
    /** A transaction beyond the limit. */
    TRANSACTION_TOO_LARGE(2101, false, false),
    /**
     * The store can't write any more (disk full, failed sync) and must be reopened; see the cause.
     */
    STORE_FAILED(1510, false, true),
    /** Too little disk space is left; nothing was written. */
    DISK_LOW(1511, false, false),
    /** The store is closed. */
    STORE_CLOSED(1100, false, false);

    private final int number;
    private final boolean retriable;
    private final boolean outcomeUnknown;

    Code(int number, boolean retriable, boolean outcomeUnknown) {
      this.number = number;
      this.retriable = retriable;
      this.outcomeUnknown = outcomeUnknown;
    }

    /** Returns FoundationDB's number for this failure, or the nearest one. */
    public int number() {
      return number;
    }
  }

  private final Code code;

  /** Creates a failure with a code and a constant message. */
  public StoreException(Code code, String message) {
    super(message);
    this.code = code;
  }

  /** Creates a failure with a code, a constant message and a cause. */
  public StoreException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** Returns what failed. */
  public Code code() {
    return code;
  }

  /** Returns whether a new attempt of the same transaction may succeed. */
  public boolean retriable() {
    return code.retriable;
  }

  /**
   * Returns whether the writes may have been, or may yet be, applied although the commit failed.
   */
  public boolean outcomeUnknown() {
    return code.outcomeUnknown;
  }
}
