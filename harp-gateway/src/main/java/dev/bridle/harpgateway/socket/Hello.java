package dev.bridle.harpgateway.socket;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.relay.v1.UpdateRequest;
import java.io.IOException;
import java.util.Map;

/**
 * What a party says about itself when it has connected, no envelope (HARP 0.2, "HTTP binding"):
 * {@code {"msgType": "hello", "capabilities": {"push": true}, "workspaceName": "…",
 * "enforcerLabel": "…"}}, all but the type optional. Other members are ignored.
 */
final class Hello {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MAX_BYTES = 16 << 10;
  private static final String CAPABILITIES = "capabilities";

  private Hello() {}

  /**
   * Returns what a hello says; the core checks its lengths.
   *
   * @throws ProtocolException if it is no such message
   */
  static UpdateRequest.Builder read(byte[] message) {
    if (message.length > MAX_BYTES) {
      throw invalid("", "A hello has at most " + MAX_BYTES + " bytes.");
    }
    JsonNode said;
    try {
      said = MAPPER.readTree(message);
    } catch (IOException e) {
      throw invalid("", "The message is not JSON.");
    }
    UpdateRequest.Builder update =
        UpdateRequest.newBuilder()
            .setWorkspaceName(text(said, "workspaceName"))
            .setEnforcerLabel(text(said, "enforcerLabel"));
    JsonNode capabilities = said.path(CAPABILITIES);
    if (!capabilities.isMissingNode() && !capabilities.isObject()) {
      throw invalid(CAPABILITIES, "The capabilities must be an object.");
    }
    for (Map.Entry<String, JsonNode> each : capabilities.properties()) {
      if (!each.getValue().isBoolean()) {
        throw invalid(CAPABILITIES, "Each capability must be true or false.");
      }
      update.putCapabilities(each.getKey(), each.getValue().booleanValue());
    }
    return update;
  }

  private static String text(JsonNode said, String member) {
    JsonNode value = said.path(member);
    if (!value.isMissingNode() && !value.isTextual()) {
      throw invalid(member, "The member must be a text.");
    }
    return value.asText("");
  }

  private static ProtocolException invalid(String member, String message) {
    return new ProtocolException(ProtocolError.invalid(member, message));
  }
}
