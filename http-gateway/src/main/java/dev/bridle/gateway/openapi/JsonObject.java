package dev.bridle.gateway.openapi;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.bridle.json.JsonWriter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A mutable JSON object that keeps the order of its members. Values: strings, numbers, booleans,
 * lists, objects.
 */
final class JsonObject {

  private final Map<String, Object> members = new LinkedHashMap<>();

  static JsonObject of() {
    return new JsonObject();
  }

  static JsonObject of(String name, Object value) {
    return new JsonObject().put(name, value);
  }

  static JsonObject reference(String component) {
    return of("$ref", "#/components/" + component);
  }

  JsonObject put(String name, Object value) {
    members.put(name, value);
    return this;
  }

  JsonObject putUnlessEmpty(String name, List<?> value) {
    return value.isEmpty() ? this : put(name, value);
  }

  JsonObject putUnlessEmpty(String name, String value) {
    return value.isEmpty() ? this : put(name, value);
  }

  /** Returns the object member with a name and creates it if it is missing. */
  JsonObject object(String name) {
    return (JsonObject) members.computeIfAbsent(name, key -> new JsonObject());
  }

  boolean has(String name) {
    return members.containsKey(name);
  }

  Object get(String name) {
    return members.get(name);
  }

  byte[] json() {
    return JsonWriter.bytes(to -> write(this, to));
  }

  private static void write(Object value, JsonGenerator to) throws IOException {
    if (value instanceof JsonObject object) {
      to.writeStartObject();
      for (Map.Entry<String, Object> member : object.members.entrySet()) {
        to.writeFieldName(member.getKey());
        write(member.getValue(), to);
      }
      to.writeEndObject();
    } else if (value instanceof List<?> list) {
      to.writeStartArray();
      for (Object element : list) {
        write(element, to);
      }
      to.writeEndArray();
    } else if (value instanceof Boolean bool) {
      to.writeBoolean(bool);
    } else if (value instanceof Number number) {
      to.writeNumber(number.longValue());
    } else {
      to.writeString(value.toString());
    }
  }
}
