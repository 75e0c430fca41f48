package dev.bridle.proof.json;

/**
 * JSON that is well-formed, with a number, text or repeated member that readers take differently.
 */
public final class AmbiguousJsonException extends InvalidJsonException {
  private static final long serialVersionUID = 1;

  AmbiguousJsonException(String message) {
    super(message);
  }
}
