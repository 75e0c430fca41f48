package dev.bridle.core.kernel.seal;

/** A master key is missing, or not the one that storage was sealed with. Holds no secret. */
public final class MasterKeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The message says what is wrong. */
  public MasterKeyException(String message) {
    super(message);
  }
}
