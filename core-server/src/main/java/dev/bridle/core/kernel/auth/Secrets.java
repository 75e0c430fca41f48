package dev.bridle.core.kernel.auth;

import dev.bridle.storage.layer.Base32;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Secrets that callers send: 200 random bits, kept as their SHA-256 only. */
public final class Secrets {
  /** How many random bytes one has. */
  public static final int BYTES = 25;

  /** What an API key begins with. */
  public static final String KEY = "brk_";

  /** What the secret of an OAuth client begins with. */
  public static final String CLIENT = "brs_";

  /** What the last part of a path for deliveries begins with. */
  public static final String INGRESS = "hook_";

  private Secrets() {}

  /** Spells a secret: what kind it is, then its random bytes. */
  public static String spell(String prefix, byte[] random) {
    return prefix + Base32.encode(random);
  }

  /** Returns what is kept of a secret. */
  public static byte[] hash(String secret) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
