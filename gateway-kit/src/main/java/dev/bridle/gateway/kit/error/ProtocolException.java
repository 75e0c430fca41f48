package dev.bridle.gateway.kit.error;

/** Ends the processing of a request with an error response. */
public final class ProtocolException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient ProtocolError error;

  /** Creates an exception with an error. */
  public ProtocolException(ProtocolError error) {
    super(error.message(), null, false, false);
    this.error = error;
  }

  /** Returns the error. */
  public ProtocolError error() {
    return error;
  }
}
