package dev.bridle.core.integrations.enforcer;

import com.google.protobuf.ByteString;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.proof.key.VerificationKey;
import java.util.Optional;

/**
 * A decision as it came, of which nothing is believed yet.
 *
 * @param bytes as it came
 * @param signerKeyId the key that it names
 * @param signed what the key has signed
 * @param reason what the approver said to it
 * @param button the button that the approver has pressed, which is not signed
 */
record PresentedDecision(
    ByteString bytes,
    String signerKeyId,
    Signed signed,
    Optional<GivenReason> reason,
    Optional<String> button) {

  /** Finds what a key has signed. */
  interface Signed {
    /**
     * Returns the decision.
     *
     * @throws HarpException {@code SIGNATURE_INVALID} or {@code HASH_MISMATCH} if the key has not
     *     signed it
     */
    Decision by(VerificationKey key, Artifact artifact) throws HarpException;
  }

  /**
   * Reads what a relay has delivered for a request.
   *
   * @param delivered the {@code decision.deliver} envelope
   */
  static PresentedDecision delivered(String requestId, ByteString delivered) throws HarpException {
    GatewayEnvelope envelope = GatewayEnvelope.parse(delivered.toByteArray());
    if (!envelope.requestId().equals(requestId)) {
      throw new HarpException(
          HarpErrorCode.POLICY_DENY, "request", "The decision is about another request.");
    }
    DecisionSubmit submit = DecisionSubmit.of(envelope);
    return new PresentedDecision(
        delivered,
        submit.signerKeyId(),
        (key, artifact) ->
            submit.verified(artifact.repoRef(), artifact.json().get("expiresAt").textValue(), key),
        submit.reason(),
        submit.action());
  }

  /** Returns a whole decision, which came without a relay. */
  static PresentedDecision whole(
      Decision decision, Optional<GivenReason> reason, ByteString bytes) {
    return new PresentedDecision(
        bytes,
        decision.signerKeyId(),
        (key, artifact) -> {
          decision.verifySignature(key);
          return decision;
        },
        reason,
        Optional.empty());
  }
}
