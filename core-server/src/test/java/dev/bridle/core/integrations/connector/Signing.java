package dev.bridle.core.integrations.connector;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs deliveries as providers do, written apart from what verifies them. */
public final class Signing {
  private Signing() {}

  /** Returns the HMAC-SHA256 of a text. */
  public static byte[] hmac(String secret, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the HMAC-SHA256 of a text in hex. */
  public static String hex(String secret, String text) {
    return HexFormat.of().formatHex(hmac(secret, text));
  }
}
