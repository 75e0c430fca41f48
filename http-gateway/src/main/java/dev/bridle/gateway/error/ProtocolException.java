package dev.bridle.gateway.error;

/** Ends the work on a request with an error answer. */
public final class ProtocolException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient ProtocolError error;

  /** Ends it with this error. */
  public ProtocolException(ProtocolError error) {
    super(error.message(), null, false, false);
    this.error = error;
  }

  /** The answer. */
  public ProtocolError error() {
    return error;
  }
}
