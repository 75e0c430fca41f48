package dev.bridle.storage.embedded;

import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;

/**
 * The reason why the engine rejects calls. Each calling thread gets its own exception with its own
 * stack trace.
 *
 * @param cause the underlying failure, or null
 */
record Refusal(Code code, String message, Throwable cause) {
  static final Refusal CONFLICT =
      new Refusal(Code.CONFLICT, "Another transaction has written a key that this one has read.");
  static final Refusal TOO_OLD =
      new Refusal(Code.TRANSACTION_TOO_OLD, "The transaction is older than the store remembers.");
  static final Refusal DISK_LOW =
      new Refusal(Code.DISK_LOW, "Too little disk space is left; nothing was written.");
  static final Refusal CLOSED = new Refusal(Code.STORE_CLOSED, "The store is closed.");

  private Refusal(Code code, String message) {
    this(code, message, null);
  }

  static Refusal writeFailed(Throwable cause) {
    return new Refusal(
        Code.STORE_FAILED,
        "A write to the store failed; it takes no more commits until it is opened again.",
        cause);
  }

  static Refusal readFailed(Throwable cause) {
    return new Refusal(
        Code.STORE_FAILED, "The store's files can't be read; it takes no more work.", cause);
  }

  StoreException toException() {
    return new StoreException(code, message, cause);
  }
}
