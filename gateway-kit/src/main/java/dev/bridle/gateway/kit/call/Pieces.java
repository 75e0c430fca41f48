package dev.bridle.gateway.kit.call;

import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;

/**
 * Counts the chunks or frames of a body. A small chunk costs far more than its bytes, so a body may
 * have many chunks or small chunks, but not many small ones.
 */
public final class Pieces {
  /** The number of chunks that are allowed whatever their size. */
  public static final int FREE = 32 << 10;

  private static final int LEAST_BYTES = 64;

  private long count;
  private long bytes;

  /** Creates a counter at zero. */
  public Pieces() {}

  /** Counts a chunk. Returns false if there have been too many small ones. */
  public boolean take(int length) {
    count++;
    bytes += length;
    return count <= FREE + bytes / LEAST_BYTES;
  }

  /** Returns the error for a body with too many small chunks. */
  public static ProtocolException tooMany() {
    return new ProtocolException(
        ProtocolError.invalid(
            "",
            "The body has more than "
                + FREE
                + " chunks of less than "
                + LEAST_BYTES
                + " bytes; send larger chunks."));
  }
}
