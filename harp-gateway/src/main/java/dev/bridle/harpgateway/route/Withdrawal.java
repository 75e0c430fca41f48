package dev.bridle.harpgateway.route;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.GatewayEnvelope;
import java.util.Set;

/**
 * The body of a withdrawal, which the draft does not say: nothing, {@code {"reason": TEXT}}, or an
 * envelope of the request with such a body.
 */
final class Withdrawal {
  private static final String REASON = "reason";
  private static final Set<String> MEMBERS = Set.of(REASON);
  private static final int MAX_BYTES = 64 << 10;

  private Withdrawal() {}

  /** Returns why the request is withdrawn, for people; empty if that is not said. */
  static String reason(ByteString body, String requestId) {
    if (body.isEmpty()) {
      return "";
    }
    try {
      ObjectNode said = HarpJson.parse(body.toByteArray(), MAX_BYTES);
      if (said.has("msgType")) {
        GatewayEnvelope envelope = GatewayEnvelope.of(said);
        if (!envelope.requestId().equals(requestId)) {
          throw wrong("requestId", "The envelope is about another request than the path.");
        }
        said = envelope.body();
      }
      said.fieldNames()
          .forEachRemaining(
              member -> {
                if (!MEMBERS.contains(member)) {
                  throw wrong(member, "Only a reason can be given.");
                }
              });
      if (said.has(REASON) && !said.get(REASON).isTextual()) {
        throw wrong(REASON, "The reason must be a text.");
      }
      return said.path(REASON).asText("");
    } catch (HarpException e) {
      throw wrong("", e.getMessage());
    }
  }

  private static ProtocolException wrong(String member, String message) {
    return new ProtocolException(ProtocolError.invalid(member, message));
  }
}
