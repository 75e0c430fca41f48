package dev.bridle.storage.fdb;

/**
 * Thrown when no cluster can be used: the client library is missing or too old, the cluster file is
 * missing, or the cluster does not respond. The one-line message says what to do.
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
