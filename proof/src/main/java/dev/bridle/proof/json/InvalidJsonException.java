package dev.bridle.proof.json;

/**
 * Bytes or a tree that have no canonical JSON form. The message is a fixed text, for bytes with the
 * line and column where known. It quotes nothing of the content.
 */
public sealed class InvalidJsonException extends IllegalArgumentException
    permits AmbiguousJsonException {
  private static final long serialVersionUID = 1;

  InvalidJsonException(String message) {
    super(message);
  }

  InvalidJsonException(String message, Throwable cause) {
    super(message, cause);
  }
}
