package dev.bridle.harpgateway.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.harp.document.Times;
import dev.bridle.harpgateway.envelope.GatewayEnvelopes;
import dev.bridle.relay.v1.ListPresenceResponse;
import dev.bridle.relay.v1.Presence;
import java.time.Instant;

/** Writes which enforcers are there. */
public final class PresenceDocument {
  private PresenceDocument() {}

  /** Returns a list of records. */
  public static ByteString list(ListPresenceResponse response) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    response.getDataList().forEach(each -> list.add(json(each)));
    return ByteString.copyFrom(GatewayEnvelopes.bytes(list));
  }

  /** Returns a record. */
  public static ByteString record(Presence presence) {
    return ByteString.copyFrom(GatewayEnvelopes.bytes(json(presence)));
  }

  private static ObjectNode json(Presence presence) {
    ObjectNode record =
        JsonNodeFactory.instance
            .objectNode()
            .put("enforcerDeviceId", presence.getEnforcerDeviceId())
            .put("status", presence.getOnline() ? "online" : "offline")
            .put(
                "lastSeenAt",
                Times.spell(Instant.ofEpochSecond(presence.getLastSeenAt().getSeconds())))
            .put("transport", presence.getTransport());
    Members.put(record, "workspaceName", presence.getWorkspaceName());
    Members.put(record, "enforcerLabel", presence.getEnforcerLabel());
    if (presence.getCapabilitiesCount() > 0) {
      ObjectNode capabilities = record.putObject("capabilities");
      presence.getCapabilitiesMap().forEach(capabilities::put);
    }
    return record;
  }
}
