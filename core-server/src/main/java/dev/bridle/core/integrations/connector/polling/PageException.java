package dev.bridle.core.integrations.connector.polling;

/** An answer can't be read as what it should be. The message is for people. */
public final class PageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;

  PageException(String code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** Returns a short name of what is wrong. */
  public String code() {
    return code;
  }
}
