package dev.bridle.core.kernel.auth;

import dev.bridle.storage.layer.Base32;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Bearer secrets: 200 random bits, stored as their SHA-256 only. */
public final class Secrets {
  /** The number of random bytes of a secret. */
  public static final int BYTES = 25;

  /** The prefix of an API key. */
  public static final String KEY = "brk_";

  /** The prefix of an OAuth client's secret. */
  public static final String CLIENT = "brs_";

  /** The prefix of the last path segment of an ingress URL. */
  public static final String INGRESS = "hook_";

  private Secrets() {}

  /** Formats a secret: its prefix, then its random bytes in base 32. */
  public static String spell(String prefix, byte[] random) {
    return prefix + Base32.encode(random);
  }

  /** Returns the stored hash of a secret. */
  public static byte[] hash(String secret) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
