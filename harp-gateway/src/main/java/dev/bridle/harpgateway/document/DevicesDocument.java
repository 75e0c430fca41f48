package dev.bridle.harpgateway.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.bridle.harp.document.Times;
import dev.bridle.harpgateway.envelope.GatewayEnvelopes;
import dev.bridle.relay.v1.ListDevicesOfEnforcerResponse;
import dev.bridle.relay.v1.PairedDevice;
import java.time.Instant;

/** Writes the devices that were paired with an enforcer. */
public final class DevicesDocument {
  private DevicesDocument() {}

  /** Returns a page: its items, and the cursor of the next page or null, as an inbox has them. */
  public static ByteString page(ListDevicesOfEnforcerResponse response) {
    ObjectNode page = JsonNodeFactory.instance.objectNode();
    ArrayNode items = page.putArray("items");
    response.getDataList().forEach(device -> items.add(json(device)));
    boolean more = response.getPage().getHasMore();
    page.put("nextCursor", more ? response.getPage().getNextCursor() : null);
    return ByteString.copyFrom(GatewayEnvelopes.bytes(page));
  }

  private static ObjectNode json(PairedDevice device) {
    ObjectNode document =
        JsonNodeFactory.instance
            .objectNode()
            .put("enforcerId", device.getEnforcerId())
            .put("approverId", device.getApproverId());
    Members.put(document, "deviceId", device.getDeviceId());
    Members.put(document, "signerKeyId", device.getSignerKeyId());
    Members.put(document, "signingKey", device.getSigningKey());
    Members.put(document, "publicKey", device.getPublicKey());
    document.put("pairedAt", spell(device.getPairedAt()));
    if (device.hasRevokedAt()) {
      document.put("revokedAt", spell(device.getRevokedAt()));
    }
    return document;
  }

  private static String spell(Timestamp time) {
    return Times.spell(Instant.ofEpochSecond(time.getSeconds()));
  }
}
