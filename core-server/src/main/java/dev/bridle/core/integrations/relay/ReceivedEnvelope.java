package dev.bridle.core.integrations.relay;

import com.google.protobuf.ByteString;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.GatewayEnvelope;
import java.util.Optional;

/** Reads envelopes of parties: their bounds, their type and who has sent them. */
final class ReceivedEnvelope {
  private ReceivedEnvelope() {}

  /**
   * Parses an envelope of a type.
   *
   * @param most the most bytes
   */
  static GatewayEnvelope parse(ByteString bytes, String type, int most) throws HarpException {
    if (bytes.size() > most) {
      throw RelayErrors.tooLarge(bytes.size(), most);
    }
    GatewayEnvelope envelope = GatewayEnvelope.parse(bytes.toByteArray());
    if (!envelope.type().equals(type)) {
      throw new HarpException(
          HarpErrorCode.UNSUPPORTED, "type", "The envelope is not of the type " + type + ".");
    }
    if (envelope.requestId().length() > RelayLimits.MAX_REQUEST_ID) {
      throw RelayErrors.schema(
          "The requestId has more than " + RelayLimits.MAX_REQUEST_ID + " characters.");
    }
    return envelope;
  }

  /** Returns the enforcer that has sent an envelope. */
  static PartyId enforcer(GatewayEnvelope envelope) throws HarpException {
    return PartyId.enforcer(sender(envelope.senderEnforcer(), "enforcerId"));
  }

  /** Returns the approver that has sent an envelope. */
  static PartyId approver(GatewayEnvelope envelope) throws HarpException {
    return PartyId.approver(sender(envelope.senderApprover(), "approverId"));
  }

  private static String sender(Optional<String> id, String member) throws HarpException {
    return checked(
        id.orElseThrow(() -> RelayErrors.schema("The sender names no " + member + ".")), member);
  }

  /** Returns the id of a party, which is part of keys and so has a bound. */
  static String checked(String id, String member) throws HarpException {
    if (id.length() > RelayLimits.MAX_PARTY_ID) {
      throw RelayErrors.schema(
          "The " + member + " has more than " + RelayLimits.MAX_PARTY_ID + " characters.");
    }
    return id;
  }
}
