package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;

/** What a hosted agent's tool call gave back, as the task's events have it, for an editor. */
final class ReportedOutput {
  private ReportedOutput() {}

  /** Puts the parts of an output into the update of a tool call. */
  static void put(JsonNode parts, ObjectNode update) {
    if (!parts.isArray()) {
      update.set("rawOutput", parts);
      return;
    }
    ArrayNode content = JsonLines.object().arrayNode();
    for (JsonNode part : parts) {
      if (part.path("type").asText().equals("raw")) {
        update.set("rawOutput", raw(part));
      } else {
        content.addObject().put("type", "content").set("content", block(part));
      }
    }
    if (!content.isEmpty()) {
      update.set("content", content);
    }
  }

  private static JsonNode raw(JsonNode part) {
    return part.has("value") ? part.get("value") : JsonLines.object().put("output", text(part));
  }

  /** Returns a content block: what is no text is a link, or a line that says what it is. */
  static ObjectNode block(JsonNode part) {
    String type = part.path("type").asText();
    return switch (type) {
      case "text" -> Chunks.block(text(part));
      case "diff" ->
          Chunks.block(
              ShownText.line(part.path("path").asText()) + "\n" + Texts.fenced(text(part)));
      case "resource_link" ->
          JsonLines.object()
              .put("type", "resource_link")
              .put("name", part.path("name").asText(part.path("uri").asText()))
              .put("uri", part.path("uri").asText());
      case "terminal" ->
          Chunks.block("[terminal " + ShownText.line(part.path("terminal_id").asText()) + "]");
      default ->
          part.has("text")
              ? Chunks.block(text(part))
              : Chunks.block(
                  "["
                      + ShownText.line(
                          type
                              + " "
                              + part.path("mime_type").asText("")
                              + " "
                              + part.path("uri").asText(""))
                      + ", "
                      + part.path("bytes").asLong()
                      + " bytes]");
    };
  }

  /** Returns a kept text; where something is missing, that says so with size and hash. */
  private static String text(JsonNode part) {
    String head = part.path("text").asText();
    return part.has("tail")
        ? head
            + "\n… cut, of "
            + part.path("bytes").asLong()
            + " bytes, "
            + part.path("sha256").asText()
            + " …\n"
            + part.path("tail").asText()
        : head;
  }
}
