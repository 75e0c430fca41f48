package dev.bridle.core.kernel.event;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.record.v1.EventRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Set;

/**
 * Leaves out the parts of messages that are not public from payloads that earlier versions stored
 * with all parts. Only payloads that name such a visibility are parsed; the bytes of public parts
 * stay as they are.
 */
final class EarlierPayloads {
  private static final Set<String> WITH_PARTS =
      Set.of(
          EventKinds.USER_MESSAGE,
          EventKinds.AGENT_MESSAGE,
          EventKinds.SESSION_MESSAGE_APPENDED,
          EventKinds.USER_INPUT_SUBMITTED);

  private static final ByteString INTERNAL = ByteString.copyFromUtf8("\"internal\"");
  private static final ByteString RECEIPT_ONLY = ByteString.copyFromUtf8("\"receipt_only\"");
  private static final Set<String> HIDDEN = Set.of("internal", "receipt_only");
  private static final ByteString NOTHING = ByteString.copyFromUtf8("{}");
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String REDACTED = "redacted";

  private EarlierPayloads() {}

  /** Returns the payload of an event as everybody who may read the event sees it. */
  static ByteString shown(EventRecord record) {
    ByteString payload = record.getPayload();
    if (record.getPublicProjection()
        || !WITH_PARTS.contains(record.getEvent())
        || !(contains(payload, INTERNAL) || contains(payload, RECEIPT_ONLY))) {
      return payload;
    }
    try {
      return withoutHidden(payload.toByteArray());
    } catch (IOException e) {
      return NOTHING; // Nobody can tell what it holds.
    }
  }

  private static boolean contains(ByteString payload, ByteString word) {
    int last = payload.size() - word.size();
    for (int at = 0; at <= last; at++) {
      if (payload.byteAt(at) == '"'
          && payload.byteAt(at + 1) == word.byteAt(1)
          && payload.substring(at, at + word.size()).equals(word)) {
        return true;
      }
    }
    return false;
  }

  private static ByteString withoutHidden(byte[] payload) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(payload.length);
    int copied = 0;
    try (JsonParser parser = MAPPER.getFactory().createParser(payload)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean parts = parser.currentName().equals("parts");
        if (parser.nextToken() != JsonToken.START_ARRAY || !parts) {
          parser.skipChildren();
          continue;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          int from = (int) parser.currentTokenLocation().getByteOffset();
          JsonNode part = parser.readValueAsTree();
          int to = (int) parser.currentLocation().getByteOffset();
          if (HIDDEN.contains(part.path("visibility").asText())) {
            out.write(payload, copied, from - copied);
            out.write(MAPPER.writeValueAsBytes(descriptor(part, to - from)));
            copied = to;
          }
        }
      }
    }
    out.write(payload, copied, payload.length - copied);
    return ByteString.copyFrom(out.toByteArray());
  }

  /** Returns what stands for a part that is left out; it has no commitment of its own. */
  private static ObjectNode descriptor(JsonNode part, int size) {
    String type = part.path("type").asText();
    ObjectNode shown = MAPPER.createObjectNode().put("type", type);
    switch (type) {
      case "text" -> shown.put("text", "");
      case "json" -> shown.putNull("value");
      case "tool_call" -> {
        shown.set("tool_call_id", part.path("tool_call_id"));
        shown.put("name", REDACTED).putObject("input");
      }
      case "tool_result" -> {
        shown.set("tool_call_id", part.path("tool_call_id"));
        shown.putNull("output").set("status", part.path("status"));
      }
      case "artifact_ref" -> shown.put("artifact_id", REDACTED);
      case "file_ref" -> shown.put("uri", REDACTED);
      case "image_ref" -> shown.put("artifact_id", REDACTED);
      default -> {}
    }
    if (type.equals("file_ref") || type.equals("image_ref")) {
      shown.put("mime_type", "application/octet-stream");
    }
    String visibility = part.path("visibility").asText();
    shown.put("visibility", visibility);
    shown.putObject(REDACTED).put("reason", visibility).put("size", size);
    return shown;
  }
}
