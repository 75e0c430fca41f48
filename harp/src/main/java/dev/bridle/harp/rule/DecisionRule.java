package dev.bridle.harp.rule;

import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.Scope;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.VerificationKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * By which rules an enforcer accepts a decision: all of them hold, or it is refused (HARP-CORE).
 * The order is fixed, so that each fault has one code.
 */
public final class DecisionRule {
  /** By how much the clocks of enforcer and approver may differ, if nothing else is said. */
  public static final Duration SKEW = Duration.ofSeconds(60);

  private final Function<String, Optional<VerificationKey>> keys;
  private final Duration skew;

  /**
   * Creates the rule.
   *
   * @param keys finds the key of an id that may decide now; empty if there is none, or it is
   *     revoked
   * @param skew by how much clocks may differ, for the decision's own expiry
   */
  public DecisionRule(Function<String, Optional<VerificationKey>> keys, Duration skew) {
    this.keys = keys;
    this.skew = skew;
  }

  /**
   * What the enforcer knows of the request, computed by itself.
   *
   * @param subject what a decision has to be about
   * @param expiresAt until when it can be decided
   * @param sessionId the session of the agent
   */
  public record Asked(Decision.Subject subject, Instant expiresAt, Optional<String> sessionId) {}

  /**
   * Checks a decision.
   *
   * @return false if exactly this decision was accepted before, so that nothing is to be done
   * @throws HarpException {@code POLICY_DENY} if it is about another request or place; {@code
   *     HASH_MISMATCH}, {@code SIGNATURE_INVALID}, {@code EXPIRED}, {@code SCOPE} or {@code REPLAY}
   */
  public boolean accept(Decision decision, Asked asked, ReplayRecord accepted, Instant now)
      throws HarpException {
    Decision.Subject subject = decision.subject();
    if (!subject.requestId().equals(asked.subject().requestId())) {
      throw denied("request", "The decision is about another request.");
    }
    if (!subject.artifactHash().equals(asked.subject().artifactHash())) {
      throw new HarpException(
          HarpErrorCode.HASH_MISMATCH, "hash", "The decision is about another artifact.");
    }
    if (!subject.repoRef().equals(asked.subject().repoRef())) {
      throw denied("repo_ref", "The decision is about another place.");
    }
    VerificationKey key =
        keys.apply(decision.signerKeyId())
            .orElseThrow(
                () ->
                    new HarpException(
                        HarpErrorCode.SIGNATURE_INVALID,
                        "unknown_key",
                        "No key of that id may decide."));
    decision.verifySignature(key);
    if (now.isAfter(decision.expiresAt().plus(skew))) {
      throw expired("The decision has expired.");
    }
    if (!now.isBefore(asked.expiresAt())) {
      throw expired("The request has expired.");
    }
    checkScope(decision, asked);
    return !accepted.repeats(decision);
  }

  private static void checkScope(Decision decision, Asked asked) throws HarpException {
    if (decision.scope() != Scope.SESSION) {
      return;
    }
    if (decision.sessionId().isEmpty() || !decision.sessionId().equals(asked.sessionId())) {
      throw new HarpException(
          HarpErrorCode.SCOPE,
          "session",
          "A decision for a session names the request's session in policyHints.sessionId.");
    }
  }

  private static HarpException denied(String reason, String message) {
    return new HarpException(HarpErrorCode.POLICY_DENY, reason, message);
  }

  private static HarpException expired(String message) {
    return new HarpException(HarpErrorCode.EXPIRED, "expired", message);
  }
}
