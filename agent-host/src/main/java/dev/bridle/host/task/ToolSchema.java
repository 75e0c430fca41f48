package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.bridge.ToolDescriptor;
import dev.bridle.host.bridge.ToolFailure;
import java.util.Optional;

/** Describes the arguments of a tool, and reads them. */
final class ToolSchema {
  private final String name;
  private final String description;
  private final ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
  private final ObjectNode properties = schema.putObject("properties");

  ToolSchema(String name, String description) {
    this.name = name;
    this.description = description;
  }

  ToolSchema needs(String member, String type) {
    schema.withArray("required").add(member);
    return takes(member, type);
  }

  ToolSchema takes(String member, String type) {
    properties.putObject(member).put("type", type);
    return this;
  }

  ToolDescriptor made() {
    return new ToolDescriptor(name, description, Optional.of(schema), false);
  }

  /** Returns an argument that must be a text. */
  static String text(JsonNode arguments, String member) throws ToolFailure {
    JsonNode given = arguments.path(member);
    if (!given.isTextual() || given.textValue().isEmpty()) {
      throw ToolFailure.of(member + " must be a text that is not empty");
    }
    return given.textValue();
  }

  /** Returns an argument that may be missing, and must be a number within bounds. */
  static int number(JsonNode arguments, String member, int otherwise, int most) throws ToolFailure {
    JsonNode given = arguments.path(member);
    if (given.isMissingNode() || given.isNull()) {
      return otherwise;
    }
    if (!given.isInt() || given.intValue() < 1 || given.intValue() > most) {
      throw ToolFailure.of(member + " must be a number from 1 to " + most);
    }
    return given.intValue();
  }
}
