package dev.bridle.proof.hash;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** A SHA-256 hash. Its text is {@code sha256:} and 64 lower-case hexadecimal digits. */
public final class Sha256 {
  private static final String PREFIX = "sha256:";
  private static final int BYTES = 32;
  private static final HexFormat HEX = HexFormat.of();

  private final byte[] bytes;

  private Sha256(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the hash of parts, one after the other. */
  public static Sha256 of(byte[]... parts) {
    MessageDigest digest = digest();
    for (byte[] part : parts) {
      digest.update(part);
    }
    return new Sha256(digest.digest());
  }

  /**
   * Returns the hash that consists of 32 bytes.
   *
   * @throws IllegalArgumentException if there are more or fewer
   */
  public static Sha256 ofBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "A SHA-256 hash has 32 bytes. These are " + bytes.length + ".");
    }
    return new Sha256(bytes.clone());
  }

  /** Returns the hash of a text such as {@code sha256:…}; empty if the text has another form. */
  public static Optional<Sha256> parse(String text) {
    if (text.length() != PREFIX.length() + 2 * BYTES || !text.startsWith(PREFIX)) {
      return Optional.empty();
    }
    for (int i = PREFIX.length(); i < text.length(); i++) {
      char c = text.charAt(i);
      if (!HexFormat.isHexDigit(c) || Character.isUpperCase(c)) {
        return Optional.empty();
      }
    }
    return Optional.of(new Sha256(HEX.parseHex(text, PREFIX.length(), text.length())));
  }

  /** Returns the 32 bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Sha256 hash && Arrays.equals(bytes, hash.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return PREFIX + HEX.formatHex(bytes);
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
