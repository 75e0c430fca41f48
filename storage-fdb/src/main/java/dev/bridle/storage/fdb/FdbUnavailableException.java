package dev.bridle.storage.fdb;

/**
 * Says in one line why no cluster can be used, and what to do: the client library is missing or too
 * old, the cluster file is, or nothing answers.
 */
public final class FdbUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FdbUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  FdbUnavailableException(String message) {
    super(message);
  }
}
