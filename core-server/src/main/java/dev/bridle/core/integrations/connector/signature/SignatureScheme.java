package dev.bridle.core.integrations.connector.signature;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.WebhookSignature;
import dev.bridle.core.kernel.error.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A configurable signature scheme: HMAC-SHA256 over the body, and the timestamp if there is one. A
 * timestamp is trusted only if the signature covers it.
 */
public final class SignatureScheme {
  private static final String PARAM = "webhook.signature";
  private static final String BODY = "{body}";
  private static final String TIMESTAMP = "{timestamp}";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int MAX_LISTED = 32;

  private final WebhookSignature rule;
  private final boolean timed;

  private SignatureScheme(WebhookSignature rule) {
    this.rule = rule;
    this.timed = rule.getSigned().contains(TIMESTAMP);
  }

  /**
   * Returns the scheme that a signature describes; empty if deliveries are not signed.
   *
   * @throws ProtocolException {@code invalid_request} if the description is incomplete or
   *     contradictory
   */
  public static Optional<SignatureScheme> of(WebhookSignature given) {
    Preset preset = Preset.of(given);
    if (preset == Preset.NONE) {
      return Optional.empty();
    }
    WebhookSignature rule = preset.complete(given);
    need(rule.hasSecret(), "secret", "is needed, unless the preset is none");
    need(!rule.getHeader().isEmpty(), "header", "is needed: the header with the signature");
    need(
        count(rule.getSigned(), BODY) == 1,
        "signed",
        "must have {body} once, which stands for the body");
    boolean hasTime = !rule.getTimestampHeader().isEmpty() || !rule.getTimestampKey().isEmpty();
    need(
        hasTime == rule.getSigned().contains(TIMESTAMP),
        "signed",
        "must have {timestamp} where the delivery has a time, and only there");
    need(
        rule.getTimestampKey().isEmpty() || !rule.getSignatureKey().isEmpty(),
        "signature_key",
        "is needed beside timestamp_key");
    return Optional.of(new SignatureScheme(rule));
  }

  /** Returns the names, in lower case, of the headers that hold the signature and its time. */
  public Set<String> headers() {
    return Stream.of(rule.getHeader(), rule.getTimestampHeader())
        .filter(name -> !name.isEmpty())
        .map(name -> name.toLowerCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Verifies a delivery's signature and the age of its timestamp, and returns the signature's
   * bytes, which depend on secret, body and time alone.
   *
   * @param headers the delivery's headers, by their names in lower case
   * @throws ProtocolException {@code unauthenticated} if the verification fails
   */
  public byte[] verify(Map<String, String> headers, byte[] body, String secret, long nowMillis) {
    String header = header(headers, rule.getHeader());
    String time = timed ? time(headers, header) : "";
    if (timed) {
      checkTime(time, nowMillis);
    }
    byte[] right = mac(secret, time, body);
    boolean found = false;
    for (String candidate : signatures(header)) {
      // Compares all, so that the duration reveals nothing.
      found |= MessageDigest.isEqual(right, decode(candidate));
    }
    if (!found) {
      throw refused("The delivery's signature is not right.");
    }
    return right;
  }

  private String time(Map<String, String> headers, String header) {
    return rule.getTimestampHeader().isEmpty()
        ? listed(header, rule.getTimestampKey()).stream().findFirst().orElse("")
        : header(headers, rule.getTimestampHeader());
  }

  private void checkTime(String time, long nowMillis) {
    if (!time.matches("[0-9]{1,12}")) {
      throw refused("The delivery has no time in Unix seconds.");
    }
    long apart = Math.abs(nowMillis - Long.parseLong(time) * 1000);
    if (apart > rule.getToleranceSeconds() * 1000L) {
      throw refused("The delivery was signed too long ago, or its clock is wrong.");
    }
  }

  private List<String> signatures(String header) {
    List<String> given =
        rule.getSignatureKey().isEmpty() ? List.of(header) : listed(header, rule.getSignatureKey());
    return given.stream()
        .filter(signature -> signature.startsWith(rule.getPrefix()))
        .map(signature -> signature.substring(rule.getPrefix().length()))
        .toList();
  }

  private static List<String> listed(String header, String name) {
    List<String> values = new ArrayList<>();
    for (String item : header.split(",", MAX_LISTED)) {
      int at = item.indexOf('=');
      if (at > 0 && item.substring(0, at).strip().equals(name)) {
        values.add(item.substring(at + 1).strip());
      }
    }
    return values;
  }

  private byte[] decode(String signature) {
    try {
      return rule.getEncoding().equals("base64")
          ? Base64.getDecoder().decode(signature)
          : HexFormat.of().parseHex(signature.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private byte[] mac(String secret, String time, byte[] body) {
    String signed = rule.getSigned().replace(TIMESTAMP, time);
    int at = signed.indexOf(BODY);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length + signed.length());
    bytes.writeBytes(signed.substring(0, at).getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes(body);
    bytes.writeBytes(signed.substring(at + BODY.length()).getBytes(StandardCharsets.UTF_8));
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return mac.doFinal(bytes.toByteArray());
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  private static String header(Map<String, String> headers, String name) {
    String value = headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    if (value.isEmpty()) {
      throw refused("The delivery lacks a header that its signature needs.").with("header", name);
    }
    return value.strip();
  }

  private static ProtocolException refused(String message) {
    return ProtocolException.of(ErrorCode.ERROR_CODE_UNAUTHENTICATED, message);
  }

  private static void need(boolean condition, String member, String message) {
    if (!condition) {
      throw ProtocolException.invalid(PARAM + "." + member, message);
    }
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }
}
