package dev.bridle.harp.pairing;

import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;

/**
 * Crockford's base32 in upper case, for codes that people read aloud and type. Only ASCII letters
 * are folded: other alphabets have letters whose upper case is one of these.
 */
final class Crockford {
  private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int DIGIT_BITS = 5;
  private static final int GROUP = 4;

  private Crockford() {}

  /** Returns the characters of bytes, whose number is a multiple of 5, so that no bit is padded. */
  static String encode(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    int buffer = 0;
    int bits = 0;
    for (byte each : bytes) {
      buffer = (buffer << Byte.SIZE) | (each & 0xff);
      bits += Byte.SIZE;
      while (bits >= DIGIT_BITS) {
        bits -= DIGIT_BITS;
        text.append(DIGITS.charAt((buffer >>> bits) & 31));
      }
    }
    return text.toString();
  }

  /**
   * Returns a typed code in its one spelling: without hyphens and spaces, in upper case, with O as
   * 0, I and L as 1.
   *
   * @throws HarpException {@code TRANSPORT} if it has other characters, or another number of them
   */
  static String parse(String typed, int length) throws HarpException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < typed.length(); i++) {
      char c = typed.charAt(i);
      if (c != '-' && c != ' ') {
        text.append(digit(c, length));
      }
    }
    if (text.length() != length) {
      throw malformed(length);
    }
    return text.toString();
  }

  private static char digit(char typed, int length) throws HarpException {
    char upper = typed >= 'a' && typed <= 'z' ? (char) (typed - 'a' + 'A') : typed;
    char digit =
        switch (upper) {
          case 'O' -> '0';
          case 'I', 'L' -> '1';
          default -> upper;
        };
    if (DIGITS.indexOf(digit) < 0) {
      throw malformed(length);
    }
    return digit;
  }

  /** Rejects a text that {@link #parse} would spell otherwise, or refuse. */
  static void requireSpelling(String text, int length) {
    if (text.length() != length || text.chars().anyMatch(c -> DIGITS.indexOf(c) < 0)) {
      throw new IllegalArgumentException("the text is not a code of " + length + " characters");
    }
  }

  /** Returns a code in groups of four characters with hyphens between them. */
  static String group(String text) {
    StringBuilder grouped = new StringBuilder(text);
    for (int at = text.length() - GROUP; at > 0; at -= GROUP) {
      grouped.insert(at, '-');
    }
    return grouped.toString();
  }

  private static HarpException malformed(int length) {
    return new HarpException(
        HarpErrorCode.TRANSPORT,
        "schema",
        "The code must have " + length + " characters, each a digit or a letter other than U.");
  }
}
