package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * A field of an agent's form.
 *
 * @param name its member in the answer
 * @param schema its JSON Schema
 * @param required whether it must be filled in
 */
record FormField(String name, JsonNode schema, boolean required) {

  /** Returns the fields of a form, in their order. */
  static List<FormField> of(JsonNode form) {
    List<String> required = new ArrayList<>();
    form.path("required").forEach(name -> required.add(name.asText()));
    List<FormField> fields = new ArrayList<>();
    form.path("properties")
        .properties()
        .forEach(
            member ->
                fields.add(
                    new FormField(
                        member.getKey(), member.getValue(), required.contains(member.getKey()))));
    return fields;
  }

  /** Returns what is to be typed, in one line. */
  String expected() {
    List<String> choices = choices();
    String what =
        choices.isEmpty()
            ? switch (type()) {
              case "boolean" -> "yes or no";
              case "number" -> "a number";
              case "integer" -> "a whole number";
              case "array" -> "texts, with commas between";
              default -> "a text";
            }
            : (type().equals("array") ? "of these, with commas between: " : "one of: ")
                + String.join(", ", choices);
    return what + (required ? "" : "; Enter leaves it out");
  }

  private String type() {
    return schema.path("type").asText("string");
  }

  /** The values that may be chosen; empty if any may. */
  private List<String> choices() {
    JsonNode of = type().equals("array") ? schema.path("items") : schema;
    List<String> choices = new ArrayList<>();
    of.path("enum").forEach(value -> choices.add(value.asText()));
    for (String list : List.of("oneOf", "anyOf")) {
      of.path(list).forEach(option -> choices.add(option.path("const").asText()));
    }
    return choices;
  }

  /** Returns the value of what was typed; empty if it does not fit. */
  Optional<JsonNode> parse(String typed) {
    return switch (type()) {
      case "boolean" ->
          switch (typed) {
            case "yes", "y", "true" -> Optional.of(BooleanNode.TRUE);
            case "no", "n", "false" -> Optional.of(BooleanNode.FALSE);
            default -> Optional.empty();
          };
      case "number", "integer" -> number(typed);
      case "array" -> several(typed);
      default -> chosen(typed);
    };
  }

  private Optional<JsonNode> chosen(String typed) {
    boolean fits =
        (choices().isEmpty() || choices().contains(typed))
            && typed.length() >= schema.path("minLength").asInt(0)
            && typed.length() <= schema.path("maxLength").asInt(Integer.MAX_VALUE);
    return fits ? Optional.of(TextNode.valueOf(typed)) : Optional.empty();
  }

  private Optional<JsonNode> several(String typed) {
    ArrayNode values = JsonNodeFactory.instance.arrayNode();
    for (String value : typed.split(",", -1)) {
      values.add(value.strip());
    }
    boolean fits =
        choices().isEmpty()
            || StreamSupport.stream(values.spliterator(), false)
                .allMatch(value -> choices().contains(value.textValue()));
    return fits ? Optional.of(values) : Optional.empty();
  }

  private Optional<JsonNode> number(String typed) {
    if (!typed.matches("-?[0-9]{1,30}(\\.[0-9]{1,30})?")) {
      return Optional.empty();
    }
    BigDecimal value = new BigDecimal(typed);
    boolean fits =
        (type().equals("number") || value.scale() <= 0)
            && !(schema.path("minimum").isNumber()
                && value.compareTo(schema.path("minimum").decimalValue()) < 0)
            && !(schema.path("maximum").isNumber()
                && value.compareTo(schema.path("maximum").decimalValue()) > 0);
    return fits ? Optional.of(DecimalNode.valueOf(value)) : Optional.empty();
  }
}
