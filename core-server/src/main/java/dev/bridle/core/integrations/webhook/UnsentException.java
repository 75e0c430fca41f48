package dev.bridle.core.integrations.webhook;

/** A delivery could not be made into a request. */
final class UnsentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final boolean passing;

  /**
   * Says why.
   *
   * @param passing whether trying again may help
   */
  UnsentException(String code, String message, boolean passing) {
    super(message);
    this.code = code;
    this.passing = passing;
  }

  String code() {
    return code;
  }

  boolean passing() {
    return passing;
  }
}
