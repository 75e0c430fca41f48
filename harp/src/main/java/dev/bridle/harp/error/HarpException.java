package dev.bridle.harp.error;

/**
 * A message is refused. Its text is for people, and holds nothing of a payload; the reason is one
 * word for programs that is finer than the code, such as {@code schema}.
 */
public final class HarpException extends Exception {
  private static final long serialVersionUID = 1;

  private final HarpErrorCode code;
  private final String reason;

  /**
   * Creates it.
   *
   * @param reason one word in lower case, with underscores
   */
  public HarpException(HarpErrorCode code, String reason, String message) {
    super(message);
    this.code = code;
    this.reason = reason;
  }

  /** Returns the code. */
  public HarpErrorCode code() {
    return code;
  }

  /** Returns what is wrong, in one word. */
  public String reason() {
    return reason;
  }
}
