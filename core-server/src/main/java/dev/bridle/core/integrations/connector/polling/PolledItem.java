package dev.bridle.core.integrations.connector.polling;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.core.kernel.validate.FreeFormJson;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * An item that a poll returned.
 *
 * @param key its dedupe key: {@code id:…}, or {@code sha256:…} with the hash of its content
 * @param json its content
 */
public record PolledItem(String key, String json) {
  private static final int LONGEST_ID = 255;

  static PolledItem of(Optional<String> id, String json) {
    String key =
        id.filter(given -> !given.isBlank() && given.length() <= LONGEST_ID)
            .map(given -> "id:" + given)
            .orElseGet(() -> "sha256:" + HexFormat.of().formatHex(sha256(canonical(json))));
    return new PolledItem(key, json);
  }

  /** Returns the canonical form, which does not depend on the order of members. */
  private static String canonical(String json) {
    return FreeFormJson.canonical(json.getBytes(UTF_8));
  }

  static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
