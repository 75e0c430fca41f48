package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Makes the parts of a message of a prompt's content blocks. All are texts, which every worker
 * reads; what would not reach the agent is refused.
 */
final class PromptInput {
  private static final int MOST_BLOCKS = 1000;

  private PromptInput() {}

  /**
   * Returns the parts.
   *
   * @throws AcpRefusal if a block can't be carried, or there is no text
   */
  static ArrayNode parts(JsonNode blocks) {
    if (!blocks.isArray() || blocks.isEmpty()) {
      throw AcpRefusal.badParams("prompt must be an array of content blocks, at least one");
    }
    if (blocks.size() > MOST_BLOCKS) {
      throw AcpRefusal.badParams("prompt has more than " + MOST_BLOCKS + " content blocks");
    }
    ArrayNode parts = JsonLines.object().arrayNode();
    for (int i = 0; i < blocks.size(); i++) {
      parts
          .addObject()
          .put("type", "text")
          .put("text", text(blocks.get(i), "prompt[" + i + "]"))
          .put("visibility", "public");
    }
    if (text(parts).isBlank()) {
      throw AcpRefusal.badParams("prompt has no text");
    }
    return parts;
  }

  /** Returns the texts of the parts, line by line. */
  static String text(ArrayNode parts) {
    return StreamSupport.stream(parts.spliterator(), false)
        .map(part -> part.path("text").asText())
        .collect(Collectors.joining("\n"));
  }

  private static String text(JsonNode block, String where) {
    return switch (block.path("type").asText("")) {
      case "text" -> need(block, "text", where);
      case "resource_link" -> {
        String uri = need(block, "uri", where);
        yield "[" + block.path("name").asText(uri) + "](" + uri + ")";
      }
      case "resource" -> resource(block.path("resource"), where + ".resource");
      case "image", "audio" ->
          throw AcpRefusal.badParams(
              where + " is " + block.path("type").asText() + ", which tasks can't carry");
      default ->
          throw AcpRefusal.badParams(where + ".type must be one of: text, resource_link, resource");
    };
  }

  private static String resource(JsonNode resource, String where) {
    String uri = need(resource, "uri", where);
    if (!resource.path("text").isTextual()) {
      throw AcpRefusal.badParams(where + " has no text; bytes can't be carried");
    }
    return "[" + uri + "](" + uri + ")\n" + Texts.fenced(resource.get("text").textValue());
  }

  private static String need(JsonNode object, String name, String where) {
    if (!object.path(name).isTextual()) {
      throw AcpRefusal.badParams(where + "." + name + " must be a string");
    }
    return object.get(name).textValue();
  }

  /** Returns the part that a form is filled in with; the text alone where it is no JSON object. */
  static ArrayNode filled(ArrayNode parts) {
    return JsonLines.parse(text(parts))
        .filter(JsonNode::isObject)
        .map(
            value -> {
              ObjectNode part = JsonLines.object().put("type", "json").put("visibility", "public");
              return JsonLines.object().arrayNode().add(part.<ObjectNode>set("value", value));
            })
        .orElse(parts);
  }
}
