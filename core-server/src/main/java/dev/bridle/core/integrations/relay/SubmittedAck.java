package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.AckSubmit;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.record.v1.RelayMessageRecord;
import java.util.Optional;

/**
 * An {@code ack.submit} envelope whose shape is checked.
 *
 * @param envelope the envelope
 * @param body its body
 */
record SubmittedAck(GatewayEnvelope envelope, AckSubmit body) {

  static SubmittedAck of(ByteString bytes) throws HarpException {
    GatewayEnvelope envelope =
        ReceivedEnvelope.parse(bytes, "ack.submit", RelayLimits.MAX_ENVELOPE_BYTES);
    return new SubmittedAck(envelope, AckSubmit.of(envelope));
  }

  String requestId() {
    return envelope.requestId();
  }

  /** Returns the approver of a notice, which is about no request; empty if it is about one. */
  Optional<String> approverOfNotice() {
    return requestId().equals(Envelopes.NO_REQUEST) ? envelope.senderApprover() : Optional.empty();
  }

  /** Returns whether it names the request and, where it names any, the party of a message. */
  boolean isAbout(RelayMessageRecord message) {
    boolean enforcer = PartyId.enforcer("").role() == message.getRole();
    return message.getRequestId().equals(requestId())
        && (enforcer ? envelope.senderEnforcer() : envelope.senderApprover())
            .filter(sender -> !sender.equals(message.getPartyId()))
            .isEmpty();
  }
}
