package dev.bridle.host.task;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 hashes, as 64 lower-case hexadecimal digits. */
final class Sha256 {
  /** What stands before the digits where a hash names its algorithm. */
  static final String PREFIX = "sha256:";

  private Sha256() {}

  static String hex(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has SHA-256.
    }
  }

  static String hex(String text) {
    return hex(text.getBytes(StandardCharsets.UTF_8));
  }
}
