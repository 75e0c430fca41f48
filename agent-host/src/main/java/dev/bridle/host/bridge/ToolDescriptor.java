package dev.bridle.host.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A tool of the host as {@code host/tools/list} describes it.
 *
 * @param name what {@code builtin_call} names
 * @param description for the model, may be empty
 * @param schema the JSON Schema of the arguments, or empty if there is none
 * @param deprecated whether another tool should be used instead
 */
public record ToolDescriptor(
    String name, String description, Optional<ObjectNode> schema, boolean deprecated) {
  /** Copies. */
  public ToolDescriptor {
    schema = schema.map(ObjectNode::deepCopy);
  }

  /** Returns the descriptor with exactly the four members that the protocol has. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", name).put("description", description);
    json.set("schema", schema.<JsonNode>map(each -> each).orElseGet(json::nullNode));
    return json.put("deprecated", deprecated);
  }

  /**
   * Reads the descriptors of a list in any of the accepted shapes: an object with {@code tools}, a
   * bare array, or either in {@code result}; {@code short_description}, {@code parameters} and
   * {@code input_schema} count where the canonical member is missing.
   *
   * @throws IllegalArgumentException if it is none of these, or a tool has no name
   */
  public static List<ToolDescriptor> read(JsonNode list) {
    JsonNode inner = list.path("result").isMissingNode() ? list : list.path("result");
    JsonNode tools = inner.isArray() ? inner : inner.path("tools");
    if (!tools.isArray()) {
      throw new IllegalArgumentException(
          "A list of tools must be an array, or an object with an array 'tools'");
    }
    List<ToolDescriptor> read = new ArrayList<>();
    for (JsonNode tool : tools) {
      if (tool.path("name").asText("").isEmpty()) {
        throw new IllegalArgumentException("Tool " + read.size() + " of the list has no name");
      }
      read.add(
          new ToolDescriptor(
              tool.path("name").asText(),
              first(tool, "description", "short_description").asText(""),
              Optional.of(first(tool, "schema", "parameters", "input_schema"))
                  .filter(JsonNode::isObject)
                  .map(ObjectNode.class::cast),
              tool.path("deprecated").asBoolean(false)));
    }
    return List.copyOf(read);
  }

  private static JsonNode first(JsonNode object, String... names) {
    for (String name : names) {
      if (object.hasNonNull(name)) {
        return object.get(name);
      }
    }
    return object.path(names[0]);
  }
}
