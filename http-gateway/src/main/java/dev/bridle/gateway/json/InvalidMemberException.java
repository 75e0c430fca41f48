package dev.bridle.gateway.json;

/**
 * A JSON text, or a member of it, that is not what is expected. Carries the member's path ({@code
 * input.parts[0].text}; {@code ""} where the text as a whole is to blame), which grows from the
 * inside out while the exception passes the readers.
 */
public final class InvalidMemberException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String param;

  /** Blames a member. */
  public InvalidMemberException(String param, String message) {
    super(message, null, false, false);
    this.param = param;
  }

  /** The path of the member to blame, or {@code ""}. */
  public String param() {
    return param;
  }

  /** The same, seen from the message that has the member {@code outer}. */
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
