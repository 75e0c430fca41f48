package dev.bridle.core.kernel.outbound;

/**
 * Nothing came of a call to outside. Messages go on after "The URL …" or "The call …" and name
 * neither paths nor what others answered.
 */
public final class OutboundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Why nothing came of it. */
  public enum Reason {
    /** The URL is none that is called. */
    REFUSED_URL,
    /** The host has no address. */
    UNKNOWN_HOST,
    /** The host has an address that must not be connected to. */
    REFUSED_ADDRESS,
    /** Nobody took the connection, or it could not be encrypted. */
    CONNECTION_FAILED,
    /** The answer did not come in time. */
    TIMED_OUT,
    /** The connection ended before the answer did, or what came was no answer. */
    BROKEN_ANSWER,
    /** The request is larger than may be sent. */
    TOO_LARGE,
    /** Too many calls are under way; this one was not made. */
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

  /** Returns why. */
  public Reason reason() {
    return reason;
  }
}
