package dev.bridle.core.auth;

import dev.bridle.storage.layer.Base32;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Bearer secrets: 200 random bits, kept as their SHA-256 only. */
final class Secrets {
  static final int BYTES = 25;
  private static final String PREFIX = "brk_";

  private Secrets() {}

  static String spell(byte[] random) {
    return PREFIX + Base32.encode(random);
  }

  static byte[] hash(String secret) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
