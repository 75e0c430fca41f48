package dev.bridle.harp.rule;

import dev.bridle.harp.core.Decision;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What an enforcer remembers of the decisions that it has accepted, durably and in the transaction
 * in which it accepts one: by request and artifact, and by nonce and key.
 */
public interface ReplayRecord {
  /** How long a decision is remembered at least. */
  Duration LEAST = Duration.ofMinutes(10);

  /** Returns the hash of the decision that was accepted for a request and an artifact's hash. */
  Optional<String> ofRequest(String requestId, String artifactHash);

  /** Returns the hash of the decision that was accepted with a nonce of a key. */
  Optional<String> ofNonce(String nonce, String signerKeyId);

  /** Returns until when a decision has to be remembered. */
  static Instant keptUntil(Decision decision, Instant now, Duration skew) {
    Instant byDecision = decision.expiresAt().plus(skew);
    Instant least = now.plus(LEAST);
    return byDecision.isAfter(least) ? byDecision : least;
  }

  /**
   * Returns whether exactly this decision was accepted before, so that nothing is to be done.
   *
   * @throws HarpException {@code REPLAY} if another one was, for the same request or with the same
   *     nonce
   */
  default boolean repeats(Decision decision) throws HarpException {
    Decision.Subject subject = decision.subject();
    Optional<String> byRequest = ofRequest(subject.requestId(), subject.artifactHash());
    Optional<String> byNonce = ofNonce(decision.nonce(), decision.signerKeyId());
    if (byRequest.isEmpty() && byNonce.isEmpty()) {
      return false;
    }
    Optional<String> same = Optional.of(decision.hash());
    if (byRequest.equals(same) && byNonce.equals(same)) {
      return true;
    }
    throw new HarpException(
        HarpErrorCode.REPLAY,
        "replay",
        byNonce.isPresent()
            ? "The nonce was used by this key before."
            : "The request has been decided before.");
  }
}
