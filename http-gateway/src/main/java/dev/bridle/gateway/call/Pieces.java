package dev.bridle.gateway.call;

import dev.bridle.gateway.error.ProtocolError;
import dev.bridle.gateway.error.ProtocolException;

/**
 * Counts the pieces (chunks, frames) that a body comes in. Each costs far more than the bytes that
 * it holds where these are few, so there may be many pieces, or small ones, but not both.
 */
public final class Pieces {
  /** How many pieces may come whatever they hold. */
  public static final int FREE = 32 << 10;

  private static final int LEAST_BYTES = 64;

  private long count;
  private long bytes;

  /** Nothing has come. */
  public Pieces() {}

  /** Counts a piece; returns false where too many tiny ones have come by now. */
  public boolean take(int length) {
    count++;
    bytes += length;
    return count <= FREE + bytes / LEAST_BYTES;
  }

  /** The refusal of a body in too many pieces. */
  public static ProtocolException tooMany() {
    return new ProtocolException(
        ProtocolError.invalid(
            "",
            "The body comes in more than "
                + FREE
                + " chunks of less than "
                + LEAST_BYTES
                + " bytes; send larger ones."));
  }
}
