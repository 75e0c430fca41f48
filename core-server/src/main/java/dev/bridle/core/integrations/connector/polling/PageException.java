package dev.bridle.core.integrations.connector.polling;

/** Thrown if a response can't be parsed. The message is shown to users. */
public final class PageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;

  PageException(String code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** Returns the error code. */
  public String code() {
    return code;
  }
}
