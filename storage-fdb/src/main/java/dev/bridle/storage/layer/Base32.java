package dev.bridle.storage.layer;

import java.util.Arrays;
import java.util.Optional;

/**
 * Crockford's base32 in lower case: sorts like the encoded bytes, and has no similar-looking
 * letters.
 */
public final class Base32 {
  private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
  private static final byte[] VALUES = new byte[128];

  static {
    Arrays.fill(VALUES, (byte) -1);
    for (int i = 0; i < DIGITS.length; i++) {
      VALUES[DIGITS[i]] = (byte) i;
    }
  }

  private Base32() {}

  /** Encodes bytes, five bits per character, the last one padded with zero bits. */
  public static String encode(byte[] bytes) {
    char[] out = new char[(bytes.length * 8 + 4) / 5];
    int buffer = 0;
    int bits = 0;
    int at = 0;
    for (byte b : bytes) {
      buffer = (buffer << 8) | (b & 0xff);
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        out[at++] = DIGITS[(buffer >>> bits) & 31];
      }
    }
    if (bits > 0) {
      out[at] = DIGITS[(buffer << (5 - bits)) & 31];
    }
    return new String(out);
  }

  /** Decodes {@code length} bytes; empty if {@code text} is not their canonical encoding. */
  public static Optional<byte[]> decode(String text, int length) {
    if (text.length() != (length * 8 + 4) / 5) {
      return Optional.empty();
    }
    byte[] out = new byte[length];
    int buffer = 0;
    int bits = 0;
    int at = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int value = c < VALUES.length ? VALUES[c] : -1;
      if (value < 0) {
        return Optional.empty();
      }
      buffer = (buffer << 5) | value;
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        out[at++] = (byte) (buffer >>> bits);
      }
    }
    boolean padded = (buffer & ((1 << bits) - 1)) == 0;
    return padded ? Optional.of(out) : Optional.empty();
  }
}
