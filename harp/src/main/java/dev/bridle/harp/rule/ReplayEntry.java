package dev.bridle.harp.rule;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.harp.core.Decision;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A decision that was used, as a line of a {@link ReplayFile}. Ids and nonces are hashed: whoever
 * signs chooses them, and lines are to be short. A digest over the line shows damage.
 *
 * @param request the hash of the request's id and the artifact's hash
 * @param nonce the hash of the key's id and the nonce
 * @param decision the hash of the decision
 * @param usedAt when it was used
 * @param keptUntil until when it has to be remembered
 */
record ReplayEntry(
    String request, String nonce, String decision, Instant usedAt, Instant keptUntil) {
  /** The most bytes of a line, without its end. */
  static final int MAX_BYTES = 512;

  private static final int CHECK_DIGITS = 16;

  private static final Pattern LINE =
      Pattern.compile(
          "(\\{\"request\":\"([0-9a-f]{64})\",\"nonce\":\"([0-9a-f]{64})\","
              + "\"decision\":\"([0-9a-f]{64})\",\"used_at\":\"([^\"\\\\]{1,50})\","
              + "\"kept_until\":\"([^\"\\\\]{1,50})\"),\"check\":\"([0-9a-f]{16})\"}");

  /** Returns the entry of a decision that is used now. */
  static ReplayEntry of(Decision decision, Instant now, Duration skew) throws HarpException {
    Decision.Subject subject = decision.subject();
    return new ReplayEntry(
        requestHash(subject.requestId(), subject.artifactHash()),
        nonceHash(decision.nonce(), decision.signerKeyId()),
        decision.hash(),
        now,
        ReplayRecord.keptUntil(decision, now, skew));
  }

  static String requestHash(String requestId, String artifactHash) {
    return hash(artifactHash, requestId);
  }

  static String nonceHash(String nonce, String signerKeyId) {
    return hash(signerKeyId, nonce);
  }

  /** Lengths, so that two pairs of texts never have the same bytes. */
  private static String hash(String first, String second) {
    return HarpJson.hex((first.length() + ":" + first + second).getBytes(UTF_8));
  }

  /** Returns the line, without its end. */
  String line() {
    String content =
        "{\"request\":\""
            + request
            + "\",\"nonce\":\""
            + nonce
            + "\",\"decision\":\""
            + decision
            + "\",\"used_at\":\""
            + usedAt
            + "\",\"kept_until\":\""
            + keptUntil
            + "\"";
    return content + ",\"check\":\"" + check(content) + "\"}";
  }

  /** Reads a line; empty if it is not one that {@link #line} has made. */
  static Optional<ReplayEntry> parse(String line) {
    Matcher match = LINE.matcher(line);
    if (!match.matches() || !check(match.group(1)).equals(match.group(7))) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ReplayEntry(
              match.group(2),
              match.group(3),
              match.group(4),
              Instant.parse(match.group(5)),
              Instant.parse(match.group(6))));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static String check(String content) {
    return HarpJson.hex(content.getBytes(UTF_8)).substring(0, CHECK_DIGITS);
  }
}
