package dev.bridle.core.kernel.command;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keyed hashes (HMAC-SHA-256) of requests: an unkeyed hash of a request with a short secret could
 * be brute-forced.
 */
public final class RequestHash {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /** Creates a hash keyed with a secret of the installation. */
  public RequestHash(byte[] secret) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  /** Returns the HMAC of bytes. */
  public byte[] of(byte[] bytes) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(bytes);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  /** Returns the key of an idempotency scope, as hex. */
  String scope(String... parts) {
    StringBuilder joined = new StringBuilder();
    for (String part : parts) {
      joined.append(part.length()).append(':').append(part);
    }
    return HexFormat.of().formatHex(of(joined.toString().getBytes(StandardCharsets.UTF_8)));
  }
}
