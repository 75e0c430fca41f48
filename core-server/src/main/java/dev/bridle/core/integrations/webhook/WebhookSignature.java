package dev.bridle.core.integrations.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs deliveries in the format that the published clients verify. */
final class WebhookSignature {
  static final String HEADER = "x-harn-signature";

  private static final String ALGORITHM = "HmacSHA256";

  private WebhookSignature() {}

  /** Returns the header's value for a body and the time of sending, in Unix seconds. */
  static String of(String secret, long seconds, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM));
      mac.update((seconds + ".").getBytes(UTF_8));
      return "t=" + seconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
