package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import java.util.ArrayList;
import java.util.List;

/** Pieces of messages as ACP has them. */
final class Chunks {
  static final String AGENT = "agent_message_chunk";
  static final String THOUGHT = "agent_thought_chunk";
  static final String USER = "user_message_chunk";

  private Chunks() {}

  /** Returns a content block with a text. */
  static ObjectNode block(String text) {
    return JsonLines.object().put("type", "text").put("text", text);
  }

  /**
   * Returns an update with a piece of a message.
   *
   * @param messageId which pieces belong together; empty if nobody says
   */
  static ObjectNode of(String variant, String messageId, ObjectNode block) {
    ObjectNode update = JsonLines.object().put("sessionUpdate", variant);
    if (!messageId.isEmpty()) {
      update.put("messageId", messageId);
    }
    return update.set("content", block);
  }

  static ObjectNode thought(String text) {
    return of(THOUGHT, "", block(text));
  }

  /** Returns a line of Bridle's own, apart from what the agent says. */
  static ObjectNode note(String text) {
    return of(AGENT, "", block("\n\n*Bridle:* " + text + "\n\n"));
  }

  /** Returns the pieces of a message of a session. */
  static List<ObjectNode> ofParts(String variant, String messageId, JsonNode parts) {
    List<ObjectNode> updates = new ArrayList<>();
    for (JsonNode part : parts) {
      updates.add(of(variant, messageId, block(part)));
    }
    return updates;
  }

  private static ObjectNode block(JsonNode part) {
    if (part.path("redacted").isObject()) {
      return block("[left out, since this key may not see it]");
    }
    String type = part.path("type").asText();
    return switch (type) {
      case "text" -> block(part.path("text").asText());
      case "json" -> block(Texts.fenced(part.path("value").toPrettyString()));
      case "tool_call" -> block(Texts.fenced(part.path("input").toPrettyString()));
      case "tool_result" -> block(Texts.fenced(part.path("output").toPrettyString()));
      case "file_ref" -> {
        String uri = part.path("uri").asText();
        yield JsonLines.object()
            .put("type", "resource_link")
            .put("name", uri)
            .put("uri", uri)
            .put("mimeType", part.path("mime_type").asText());
      }
      default -> block("[" + part.path("artifact_id").asText(type) + "]");
    };
  }

  /** Returns a tool call's content with one text. */
  static ArrayNode content(String text) {
    ArrayNode content = JsonLines.object().arrayNode();
    content.addObject().put("type", "content").set("content", block(text));
    return content;
  }
}
