package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

  /**
   * Has the members of an object fit into so many bytes: the largest ones stand there by what
   * stands for them, or all of them by one.
   */
  static ObjectNode members(ObjectNode object, int mostBytes) {
    for (int most = mostBytes / 2; most > 0 && bytes(object) > mostBytes; most /= 4) {
      int each = most;
      object.properties().forEach(member -> member.setValue(whole(member.getValue(), each)));
    }
    if (bytes(object) <= mostBytes) {
      return object;
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.set("all", whole(object, 0));
    return all;
  }

  private static JsonNode cut(String text) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("sha256", Sha256.hex(text))
        .put("characters", text.length())
        .put("begins", KeptText.of(text, BEGINS));
  }
}
