package dev.bridle.core.kernel.outbound;

/**
 * An outbound call failed or was not made. Messages complete a sentence that begins with "The URL
 * …" or "The call …"; they contain neither paths nor response content.
 */
public final class OutboundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** The reason of the failure. */
  public enum Reason {
    /** The URL is invalid or not allowed. */
    REFUSED_URL,
    /** The host has no address. */
    UNKNOWN_HOST,
    /** The host has an address that must not be connected to. */
    REFUSED_ADDRESS,
    /** The connection or its TLS handshake failed. */
    CONNECTION_FAILED,
    /** The response did not come in time. */
    TIMED_OUT,
    /** The connection ended before the response did, or the response was malformed. */
    BROKEN_ANSWER,
    /** The request is larger than may be sent. */
    TOO_LARGE,
    /** Too many calls are in flight; this one was not made. */
    BUSY
  }

  OutboundException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  OutboundException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Returns the reason. */
  public Reason reason() {
    return reason;
  }
}
