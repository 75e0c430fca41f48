package dev.bridle.core.kernel.command;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Keyed hashes of requests: a bare hash of a short secret in a request could be guessed. */
public final class RequestHash {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /** Hashes with a secret of the installation. */
  public RequestHash(byte[] secret) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  /** Returns the hash of bytes. */
  public byte[] of(byte[] bytes) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(bytes);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  /** Returns the name of an idempotency scope, from its parts. */
  String scope(String... parts) {
    StringBuilder joined = new StringBuilder();
    for (String part : parts) {
      joined.append(part.length()).append(':').append(part);
    }
    return HexFormat.of().formatHex(of(joined.toString().getBytes(StandardCharsets.UTF_8)));
  }
}
