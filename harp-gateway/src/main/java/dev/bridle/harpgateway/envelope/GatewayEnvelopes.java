package dev.bridle.harpgateway.envelope;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Writes the envelopes that are the gateway's own, and not the core's. */
public final class GatewayEnvelopes {
  /** Stands for a request whose id is not known. */
  static final String NO_REQUEST = "-";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private GatewayEnvelopes() {}

  /** Returns a sign of life, for readers of a silent stream. */
  public static byte[] ping() {
    return envelope("ping", NO_REQUEST, JsonNodeFactory.instance.objectNode());
  }

  static byte[] envelope(String type, String requestId, ObjectNode body) {
    ObjectNode envelope =
        JsonNodeFactory.instance
            .objectNode()
            .put("msgType", type)
            .put("requestId", requestId)
            .put("createdAt", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    envelope.putObject("sender");
    return bytes(envelope.set("body", body));
  }

  /** Returns a document as bytes. */
  public static byte[] bytes(JsonNode document) {
    try {
      return MAPPER.writeValueAsBytes(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
