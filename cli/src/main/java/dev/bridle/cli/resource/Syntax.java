package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Timestamp;
import dev.bridle.api.v1.Options;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.Spans;
import dev.bridle.cli.contract.Contract;
import dev.bridle.connector.v1.SecretName;
import java.math.BigDecimal;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/** How the text of an option becomes a JSON value. */
enum Syntax {
  TEXT("TEXT"),
  FLAG(""),
  INTEGER("N"),
  NUMBER("NUMBER"),
  TIME("TIME"),
  /** A duration, which becomes a number of seconds. */
  DURATION("TIME"),
  /** One of some values, in any case. */
  CHOICE("NAME"),
  OBJECT("JSON"),
  ANY("JSON"),
  SECRET("VAULT/NAME"),
  /** The name of a file with the text; stdin if it is absent. */
  TEXT_FILE("FILE"),
  /** The name of a file with the text, as it is. */
  WHOLE_FILE("FILE"),
  /** The name of a file with a JSON object. */
  OBJECT_FILE("FILE"),
  /** The text of a message. */
  PARTS("TEXT");

  /** The end of the name of a field with a duration. */
  static final String SECONDS = "_seconds";

  private final String label;

  Syntax(String label) {
    this.label = label;
  }

  /** Returns the syntax of a field's value, or of each of its values. */
  static Syntax of(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case STRING -> TEXT;
      case BOOLEAN -> FLAG;
      case INT, LONG -> field.getName().endsWith(SECONDS) ? DURATION : INTEGER;
      case FLOAT, DOUBLE -> NUMBER;
      case ENUM -> CHOICE;
      case BYTE_STRING ->
          switch (Contract.rule(field).getFreeForm()) {
            case FREE_FORM_OBJECT -> OBJECT;
            case FREE_FORM_ANY -> ANY;
            default -> TEXT;
          };
      case MESSAGE -> field.isMapField() ? of(valueOf(field)) : ofMessage(field);
    };
  }

  private static FieldDescriptor valueOf(FieldDescriptor map) {
    return map.getMessageType().findFieldByName("value");
  }

  private static Syntax ofMessage(FieldDescriptor field) {
    String type = field.getMessageType().getFullName();
    if (type.equals(Timestamp.getDescriptor().getFullName())) {
      return TIME;
    }
    if (type.equals(SecretName.getDescriptor().getFullName())) {
      return SECRET;
    }
    return field.getMessageType().getOptions().getExtension(Options.message).getUnion()
        ? ANY
        : OBJECT;
  }

  String label() {
    return label;
  }

  /**
   * Returns the value of a text.
   *
   * @param choices the spelling of the values that a CHOICE has
   */
  JsonNode parse(String text, List<String> choices) {
    try {
      return switch (this) {
        case INTEGER -> LongNode.valueOf(Long.parseLong(text));
        case NUMBER -> DecimalNode.valueOf(new BigDecimal(text));
        case DURATION -> LongNode.valueOf(Spans.parse(text).toSeconds());
        case CHOICE ->
            TextNode.valueOf(
                choices.stream().filter(text::equalsIgnoreCase).findFirst().orElse(text));
        case OBJECT ->
            JsonLines.parse(text)
                .filter(JsonNode::isObject)
                .orElseThrow(() -> wrong(text, "a JSON object"));
        case ANY -> JsonLines.parse(text).orElseThrow(() -> wrong(text, "JSON"));
        case SECRET -> secret(text);
        case PARTS -> parts(text);
        case TEXT, FLAG, TIME, TEXT_FILE, WHOLE_FILE, OBJECT_FILE -> TextNode.valueOf(text);
      };
    } catch (NumberFormatException e) {
      throw wrong(text, this == INTEGER ? "a whole number" : "a number");
    }
  }

  private static JsonNode secret(String text) {
    int slash = text.indexOf('/');
    if (slash < 1) {
      throw wrong(text, "VAULT/NAME");
    }
    return JsonLines.object()
        .put("vault_id", text.substring(0, slash))
        .put("name", text.substring(slash + 1));
  }

  private static ArrayNode parts(String text) {
    ArrayNode parts = JsonLines.object().putArray("parts");
    parts.addObject().put("type", "text").put("text", text).put("visibility", "public");
    return parts;
  }

  private static TypeConversionException wrong(String text, String expected) {
    return new TypeConversionException("'" + text + "', expected " + expected);
  }
}
