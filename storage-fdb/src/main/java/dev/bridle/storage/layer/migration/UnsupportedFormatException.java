package dev.bridle.storage.layer.migration;

/**
 * Thrown when this release can't use the stored data; the message says which release can. The data
 * is unchanged.
 */
public final class UnsupportedFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnsupportedFormatException(String message) {
    super(message);
  }
}
