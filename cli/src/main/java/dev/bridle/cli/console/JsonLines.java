package dev.bridle.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Reads and writes JSON for scripts: one value per line. */
public final class JsonLines {
  // Keeps numbers exactly as received.
  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private JsonLines() {}

  /** Returns a new object. */
  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** Returns the JSON value of a text, or empty if the text is not JSON. */
  public static Optional<JsonNode> parse(String text) {
    try {
      return Optional.ofNullable(MAPPER.readTree(text)).filter(value -> !value.isMissingNode());
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
