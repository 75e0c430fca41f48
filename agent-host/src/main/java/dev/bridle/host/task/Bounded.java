package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;

/** Values that are too large for a request stand there by size, hash and beginning. */
final class Bounded {
  private static final int BEGINS = 1024;

  private Bounded() {}

  static int bytes(JsonNode value) {
    return value.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  /** Returns a value, or, if it is a text of more characters, what stands for it. */
  static JsonNode text(JsonNode value, int mostCharacters) {
    return value.isTextual() && value.textValue().length() > mostCharacters
        ? cut(value.textValue())
        : value;
  }

  /** Returns a value, or, if it has more bytes as JSON, what stands for it. */
  static JsonNode whole(JsonNode value, int mostBytes) {
    return bytes(value) <= mostBytes
        ? value
        : cut(value.isTextual() ? value.textValue() : value.toString());
  }

  private static JsonNode cut(String text) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("sha256", Sha256.hex(text))
        .put("characters", text.length())
        .put("begins", KeptText.of(text, BEGINS));
  }
}
