package dev.bridle.core.integrations.layer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.GatewayEnvelope;
import java.time.Instant;
import java.util.Optional;

/**
 * A document of a layer as it came: a bare object, or one in an envelope of the gateway. It is
 * answered in the same way.
 */
public final class LayerDocument {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ObjectNode body;
  private final Optional<GatewayEnvelope> envelope;

  private LayerDocument(ObjectNode body, Optional<GatewayEnvelope> envelope) {
    this.body = body;
    this.envelope = envelope;
  }

  /**
   * Parses a document. An object with a {@code msgType} is an envelope, since no object of a layer
   * has that member.
   *
   * @param most the most bytes
   * @param tooLarge the code where there are more
   */
  public static LayerDocument parse(ByteString bytes, int most, HarpErrorCode tooLarge)
      throws HarpException {
    if (bytes.size() > most) {
      throw LayerErrors.tooLarge(tooLarge, bytes.size(), most);
    }
    ObjectNode json = HarpJson.parse(bytes.toByteArray(), most);
    if (!json.has("msgType")) {
      return new LayerDocument(json, Optional.empty());
    }
    GatewayEnvelope envelope = GatewayEnvelope.of(json);
    return new LayerDocument(envelope.body(), Optional.of(envelope));
  }

  /** Returns the envelope, if it came in one. */
  public Optional<GatewayEnvelope> envelope() {
    return envelope;
  }

  /** Returns the object as canonical JSON. */
  public byte[] body() throws HarpException {
    return HarpJson.canonical(body);
  }

  /**
   * Checks that an envelope says the same as the object in it.
   *
   * @param type the type that the object has
   */
  public void needType(String type) throws HarpException {
    if (envelope.isPresent() && !envelope.get().type().equals(type)) {
      throw new HarpException(
          HarpErrorCode.UNSUPPORTED, "type", "The envelope is not of the type " + type + ".");
    }
  }

  /**
   * Returns an answer, in an envelope where the document came in one.
   *
   * @param type the type of the answer
   * @param gatewayId what its envelope names as the sender
   */
  public ByteString answer(String type, ObjectNode answer, String gatewayId, long now) {
    if (envelope.isEmpty()) {
      return bytes(answer);
    }
    ObjectNode around =
        JsonNodeFactory.instance
            .objectNode()
            .put("msgType", type)
            .put("requestId", envelope.get().requestId())
            .put("createdAt", Times.spell(Instant.ofEpochMilli(now)));
    around.putObject("sender").put("gatewayId", gatewayId);
    around.set("body", answer);
    return bytes(around);
  }

  /** Returns a tree as JSON. */
  public static ByteString bytes(ObjectNode json) {
    try {
      return ByteString.copyFrom(MAPPER.writeValueAsBytes(json));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree can always be written", e);
    }
  }
}
