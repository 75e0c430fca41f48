package dev.bridle.proof.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The keywords of JSON Schema that look at one value. */
final class Keywords {
  private Keywords() {}

  static Rule all(List<Rule> rules) {
    Rule[] each = rules.toArray(Rule[]::new);
    return (value, trail) -> {
      for (Rule rule : each) {
        if (!rule.meets(value, trail)) {
          return false;
        }
      }
      return true;
    };
  }

  static Rule type(Set<String> types) {
    for (String type : types) {
      if (!Set.of("object", "array", "string", "number", "integer", "null").contains(type)) {
        throw new IllegalArgumentException("The type `" + type + "` is not supported.");
      }
    }
    if (types.size() == 1) {
      String type = types.iterator().next();
      return (value, trail) -> is(value, type) || trail.expected("expected type " + type);
    }
    return (value, trail) ->
        types.stream().anyMatch(type -> is(value, type))
            || trail.expected("expected one of the types " + types);
  }

  private static boolean is(JsonNode value, String type) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "number" -> value.isNumber();
      // 1.0 and 1e2 are integers, too.
      case "integer" -> value.isNumber() && value.doubleValue() == Math.rint(value.doubleValue());
      default -> value.isNull();
    };
  }

  static Rule oneOf(Set<String> texts) {
    return (value, trail) ->
        (value.isTextual() && texts.contains(value.textValue()))
            || trail.expected("expected one of " + texts);
  }

  /** Takes a pattern for a whole text. In Java a {@code $} would allow a line feed behind it. */
  static Rule pattern(String regex) {
    if (!regex.startsWith("^") || !regex.endsWith("$")) {
      throw new IllegalArgumentException("The pattern `" + regex + "` is not of a whole text.");
    }
    Pattern pattern = Pattern.compile(regex.substring(1, regex.length() - 1));
    return (value, trail) ->
        !value.isTextual()
            || pattern.matcher(value.textValue()).matches()
            || trail.expected("expected a text like " + regex);
  }

  static Rule minLength(int length) {
    return (value, trail) ->
        !value.isTextual()
            || value.textValue().codePointCount(0, value.textValue().length()) >= length
            || trail.expected("expected a text of at least " + length + " characters");
  }

  static Rule minimum(double least) {
    return (value, trail) ->
        !value.isNumber()
            || value.doubleValue() >= least
            || trail.expected("expected a number of at least " + least);
  }

  static Rule format(String name) {
    if (!name.equals("date-time")) {
      throw new IllegalArgumentException("The format `" + name + "` is not supported.");
    }
    return (value, trail) ->
        !value.isTextual()
            || Rfc3339.epochSecond(value.textValue()).isPresent()
            || trail.expected("expected a time of RFC 3339");
  }

  static Rule items(Rule rule) {
    return (value, trail) -> {
      if (value.isArray()) {
        for (int i = 0; i < value.size(); i++) {
          if (!rule.meets(value.get(i), trail)) {
            return trail.below(Integer.toString(i));
          }
        }
      }
      return true;
    };
  }
}
