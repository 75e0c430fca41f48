package dev.bridle.gateway.openapi;

import build.buf.validate.FieldRules;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.bridle.json.FieldPlan;
import dev.bridle.json.Limits;
import java.util.List;

/** Creates the JSON Schemas of single values, with the limits of the validation rules. */
final class FieldSchemas {

  /** Returns the schema of a value that is not a message with its own component. */
  JsonObject scalar(FieldPlan field) {
    FieldRules limits = Limits.of(field.descriptor());
    return switch (field.shape()) {
      case STRING -> string(field, limits);
      case BOOLEAN -> JsonObject.of("type", "boolean");
      case INTEGER -> integer(field, limits);
      case DECIMAL -> JsonObject.of("type", "number");
      case ENUM -> JsonObject.of("type", "string").put("enum", field.spelling().spellings());
      case TIMESTAMP -> JsonObject.of("type", "string").put("format", "date-time");
      case FREE_FORM ->
          switch (field.rule().getFreeForm()) {
            case FREE_FORM_OBJECT ->
                JsonObject.of("type", "object").put("additionalProperties", true);
            default -> JsonObject.of();
          };
      case BASE64 -> JsonObject.of("type", "string").put("contentEncoding", "base64");
      case MESSAGE ->
          throw new IllegalArgumentException(
              field.descriptor().getFullName() + " is a message; expected a single value.");
    };
  }

  /** Returns the schema of a list. */
  JsonObject array(FieldPlan field, JsonObject items) {
    JsonObject schema = JsonObject.of("type", "array").put("items", items);
    FieldRules limits = Limits.of(field.descriptor());
    if (limits.getRepeated().hasMinItems()) {
      schema.put("minItems", limits.getRepeated().getMinItems());
    }
    if (limits.getRepeated().hasMaxItems()) {
      schema.put("maxItems", limits.getRepeated().getMaxItems());
    }
    return schema;
  }

  /** Returns a copy of the schema that also allows {@code null}. */
  static JsonObject nullable(JsonObject schema) {
    if (schema.get("type") instanceof String type && !schema.has("enum")) {
      return schema.put("type", List.of(type, "null"));
    }
    return JsonObject.of("anyOf", List.of(schema, JsonObject.of("type", "null")));
  }

  private static JsonObject string(FieldPlan field, FieldRules limits) {
    JsonObject schema = JsonObject.of("type", "string");
    schema.putUnlessEmpty("enum", List.copyOf(field.rule().getOnlyList()));
    schema.putUnlessEmpty("format", field.rule().getFormat());
    schema.putUnlessEmpty("pattern", field.rule().getPattern());
    if (limits.getString().hasMinLen()) {
      schema.put("minLength", limits.getString().getMinLen());
    }
    if (limits.getString().hasMaxLen()) {
      schema.put("maxLength", limits.getString().getMaxLen());
    }
    return schema;
  }

  private static JsonObject integer(FieldPlan field, FieldRules limits) {
    boolean isInt = field.descriptor().getJavaType() == FieldDescriptor.JavaType.INT;
    JsonObject schema = JsonObject.of("type", "integer").put("format", isInt ? "int32" : "int64");
    if (limits.getInt32().hasGte()) {
      schema.put("minimum", limits.getInt32().getGte());
    }
    if (limits.getInt32().hasLte()) {
      schema.put("maximum", limits.getInt32().getLte());
    }
    if (limits.getInt64().hasGte()) {
      schema.put("minimum", limits.getInt64().getGte());
    }
    if (limits.getInt64().hasLte()) {
      schema.put("maximum", limits.getInt64().getLte());
    }
    return schema;
  }
}
