package dev.bridle.proof.bundle;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The members of a JSON object, without reading what is inside of them.
 *
 * @param values by name; of a name that is there twice, the last
 * @param repeats whether a name is there twice
 */
record Members(Map<String, Value> values, boolean repeats) {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          // The reader of lines bounds them.
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  /**
   * The value of a member.
   *
   * @param kind of JSON
   * @param text an object as it is written, or what a string says; empty for other kinds
   */
  record Value(JsonToken kind, String text) {}

  /**
   * Reads the members of an object.
   *
   * @return empty if the text is another value
   * @throws IOException if it is not one JSON value
   */
  static Optional<Members> of(String json) throws IOException {
    char[] text = json.toCharArray();
    try (JsonParser parser = FACTORY.createParser(text, 0, text.length)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      Map<String, Value> values = new LinkedHashMap<>();
      boolean repeats = false;
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        JsonToken kind = parser.nextToken();
        repeats |= values.put(name, new Value(kind, text(parser, kind, json))) != null;
      }
      return parser.nextToken() == null
          ? Optional.of(new Members(values, repeats))
          : Optional.empty();
    }
  }

  private static String text(JsonParser parser, JsonToken kind, String json) throws IOException {
    if (kind == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    long begin = parser.currentTokenLocation().getCharOffset();
    parser.skipChildren();
    return kind == JsonToken.START_OBJECT
        ? json.substring((int) begin, (int) parser.currentLocation().getCharOffset())
        : "";
  }

  Set<String> names() {
    return values.keySet();
  }

  /** Returns the text of a member that is a string. */
  Optional<String> string(String name) {
    return text(name, JsonToken.VALUE_STRING);
  }

  /** Returns the JSON of a member that is an object, as it is written. */
  Optional<String> object(String name) {
    return text(name, JsonToken.START_OBJECT);
  }

  private Optional<String> text(String name, JsonToken kind) {
    return Optional.ofNullable(values.get(name))
        .filter(value -> value.kind() == kind)
        .map(Value::text);
  }
}
