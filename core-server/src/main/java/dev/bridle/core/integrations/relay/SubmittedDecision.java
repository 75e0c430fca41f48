package dev.bridle.core.integrations.relay;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.DecisionSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.record.v1.ExchangeDecisionRecord;
import dev.bridle.record.v1.ExchangeOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A {@code decision.submit} envelope whose shape is checked. Its signature is the enforcer's to
 * verify: the relay has neither the artifact nor a reason to be trusted with that.
 *
 * @param envelope the envelope
 * @param body its body
 * @param approver who has sent it
 * @param stored what is delivered of it, byte for byte
 * @param digest the SHA-256 of what makes a repeat the same decision
 */
record SubmittedDecision(
    GatewayEnvelope envelope,
    DecisionSubmit body,
    PartyId approver,
    ExchangeDecisionRecord stored,
    String digest) {

  static SubmittedDecision of(ByteString bytes) throws HarpException {
    GatewayEnvelope envelope =
        ReceivedEnvelope.parse(bytes, "decision.submit", RelayLimits.MAX_ENVELOPE_BYTES);
    DecisionSubmit body = DecisionSubmit.of(envelope);
    byte[] json = bytes.toByteArray();
    ExchangeDecisionRecord.Builder stored =
        ExchangeDecisionRecord.newBuilder()
            .setRequestId(envelope.requestId())
            .setBody(ByteString.copyFrom(RawJson.member(json, "body").orElseThrow()))
            .setExpiresAt(envelope.expiresAt().orElse(""));
    RawJson.member(json, "trace").ifPresent(raw -> stored.setTrace(ByteString.copyFrom(raw)));
    return new SubmittedDecision(
        envelope, body, ReceivedEnvelope.approver(envelope), stored.build(), digest(envelope));
  }

  /** Returns a whole decision as its approver would submit it. */
  static SubmittedDecision whole(Decision decision, Optional<GivenReason> reason, String approverId)
      throws HarpException {
    ObjectNode envelope =
        JsonNodeFactory.instance
            .objectNode()
            .put("msgType", "decision.submit")
            .put("requestId", decision.subject().requestId())
            .put("createdAt", Times.spell(Instant.EPOCH))
            .put("expiresAt", decision.json().get("expiresAt").textValue());
    envelope.putObject("sender").put("approverId", approverId);
    envelope.set("body", DecisionSubmit.body(decision, reason));
    DecisionSubmit.trace(decision, Optional.empty(), reason)
        .ifPresent(trace -> envelope.set("trace", trace));
    return of(Envelopes.bytes(envelope));
  }

  private static String digest(GatewayEnvelope envelope) throws HarpException {
    byte[] expiresAt = envelope.expiresAt().orElse("").getBytes(StandardCharsets.UTF_8);
    ObjectNode body = envelope.body();
    // What is not signed, or follows from the rest, makes no other decision.
    body.remove(List.of("reason", "decisionHash"));
    return Sha256.of(HarpJson.canonical(body), new byte[1], expiresAt).toString();
  }

  String requestId() {
    return envelope.requestId();
  }

  /** Returns the hash of the artifact that was decided on, 64 hexadecimal digits. */
  String artifactHash() {
    return body.artifactHash();
  }

  /** Checks that its own time is not over, which would decide the exchange for nothing. */
  void checkTimes(Instant now, RelayLimits limits) throws HarpException {
    Optional<String> expiresAt = envelope.expiresAt();
    if (expiresAt.isPresent() && !Times.parse(expiresAt.get()).plus(limits.skew()).isAfter(now)) {
      throw new HarpException(
          HarpErrorCode.EXPIRED, "decision_expired", "The decision's time is over already.");
    }
  }

  ExchangeOutcome outcome(String messageId, long now) {
    return ExchangeOutcome.newBuilder()
        .setApproverId(approver.id())
        .setDecision(body.answer().alias())
        .setSignerKeyId(body.signerKeyId())
        .setNonce(body.nonce())
        .setDigest(digest)
        .setDecidedAt(now)
        .setMessageId(messageId)
        .build();
  }

  /** Returns whether it is the one that has decided an exchange, submitted again. */
  boolean repeats(ExchangeOutcome outcome) {
    return outcome.getSignerKeyId().equals(body.signerKeyId())
        && outcome.getNonce().equals(body.nonce())
        && outcome.getDigest().equals(digest);
  }
}
