package dev.bridle.proof.key;

import java.util.Base64;
import java.util.Optional;

/** Base64url without padding, with one spelling for each value. */
public final class Base64Url {
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  private Base64Url() {}

  /** Returns the text of bytes. */
  public static String encode(byte[] bytes) {
    return ENCODER.encodeToString(bytes);
  }

  /**
   * Returns the bytes of a text; empty if {@link #encode} would write them otherwise. Decoders
   * commonly ignore padding and the last bits, so that a changed text could mean the same bytes.
   */
  public static Optional<byte[]> decode(String text) {
    try {
      byte[] bytes = DECODER.decode(text);
      return encode(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
