package dev.bridle.gateway.kit.json;

/**
 * Reports an invalid JSON text or member. Contains the member's path ({@code input.parts[0].text},
 * or {@code ""} for the whole text), which the readers prepend to as the exception propagates.
 */
public final class InvalidMemberException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String param;

  /** Creates an exception for a member. */
  public InvalidMemberException(String param, String message) {
    super(message, null, false, false);
    this.param = param;
  }

  /** Returns the path of the invalid member, or {@code ""}. */
  public String param() {
    return param;
  }

  /** Returns a copy whose path is prefixed with the member {@code outer}. */
  public InvalidMemberException within(String outer) {
    return new InvalidMemberException(join(outer, param), getMessage());
  }

  static String join(String outer, String inner) {
    if (outer.isEmpty()) {
      return inner;
    }
    return inner.isEmpty() || inner.startsWith("[") ? outer + inner : outer + "." + inner;
  }
}
