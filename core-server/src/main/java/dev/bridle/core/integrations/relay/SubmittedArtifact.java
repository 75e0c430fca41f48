package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import java.time.Instant;
import java.util.Optional;

/**
 * An {@code artifact.submit} envelope whose shape is checked. Whether it may open an exchange
 * depends on what is stored, so {@link #checkTimes} and {@link ApprovalBody} come afterwards.
 *
 * @param envelope the envelope
 * @param body its body
 * @param enforcer who has sent it
 * @param approver the approver that it names
 * @param expiresAt until when it can be decided
 */
record SubmittedArtifact(
    GatewayEnvelope envelope,
    ArtifactSubmit body,
    PartyId enforcer,
    Optional<PartyId> approver,
    Instant expiresAt) {

  static SubmittedArtifact of(ByteString bytes) throws HarpException {
    GatewayEnvelope envelope =
        ReceivedEnvelope.parse(bytes, "artifact.submit", RelayLimits.MAX_ARTIFACT_BYTES);
    ArtifactSubmit body = ArtifactSubmit.of(envelope);
    Instant expiresAt = Times.parse(body.expiresAt());
    if (envelope.expiresAt().isPresent()
        && !Times.parse(envelope.expiresAt().get()).equals(expiresAt)) {
      throw RelayErrors.schema("The envelope has another expiresAt than its body.");
    }
    return new SubmittedArtifact(
        envelope, body, ReceivedEnvelope.enforcer(envelope), approver(envelope, body), expiresAt);
  }

  private static Optional<PartyId> approver(GatewayEnvelope envelope, ArtifactSubmit body)
      throws HarpException {
    Optional<String> recipient = envelope.recipientApprover();
    Optional<String> named = body.metadata("approverId");
    if (recipient.isPresent() && named.isPresent() && !recipient.equals(named)) {
      throw RelayErrors.schema("The recipient is another approver than that of the metadata.");
    }
    Optional<String> approver = recipient.or(() -> named);
    return approver.isEmpty()
        ? Optional.empty()
        : Optional.of(PartyId.approver(ReceivedEnvelope.checked(approver.get(), "approverId")));
  }

  String requestId() {
    return envelope.requestId();
  }

  /** Checks that it can still be decided, and was not made in the future. */
  void checkTimes(Instant now, RelayLimits limits) throws HarpException {
    if (envelope.createdAt().isAfter(now.plus(limits.skew()))) {
      throw new HarpException(
          HarpErrorCode.TRANSPORT, "created_in_future", "The envelope's createdAt is to come.");
    }
    if (!expiresAt.isAfter(now)) {
      throw new HarpException(
          HarpErrorCode.EXPIRED, "expired", "The artifact's time is over already.");
    }
  }
}
