package dev.bridle.storage.layer.migration;

/**
 * Says why stored data can't be used by this release, and which release can. Nothing was changed.
 */
public final class UnsupportedFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnsupportedFormatException(String message) {
    super(message);
  }
}
