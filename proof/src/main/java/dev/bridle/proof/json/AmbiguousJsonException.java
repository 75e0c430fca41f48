package dev.bridle.proof.json;

/** JSON that is well-formed, with a number or text that readers take as different values. */
public final class AmbiguousJsonException extends InvalidJsonException {
  private static final long serialVersionUID = 1;

  AmbiguousJsonException(String message) {
    super(message);
  }
}
