package dev.bridle.core.integrations.webhook;

/** Thrown if no request can be built for a delivery. */
final class UnsentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final boolean retryable;

  /**
   * Creates the exception.
   *
   * @param retryable whether a retry may succeed
   */
  UnsentException(String code, String message, boolean retryable) {
    super(message);
    this.code = code;
    this.retryable = retryable;
  }

  String code() {
    return code;
  }

  boolean retryable() {
    return retryable;
  }
}
