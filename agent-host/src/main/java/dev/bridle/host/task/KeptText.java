package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.host.rpc.RawJson;
import java.util.Optional;

/**
 * What is kept of what an agent writes. The core refuses texts with half a character in them and
 * JSON that is nested deeply, and a refused report ends the task: agents, which cut texts anywhere,
 * must not be able to do that.
 */
final class KeptText {
  /** The core takes 64 levels, of which an event needs some itself. */
  private static final int MOST_LEVELS = 48;

  /** How long the message of a failure is at most. */
  static final int MOST_FAILURE = 8000;

  private static final char REPLACED = 0xFFFD;

  private KeptText() {}

  /** Returns a text of whole characters, cut where it is longer. */
  static String of(String text, int most) {
    StringBuilder kept = new StringBuilder(Math.min(text.length(), most));
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      boolean isHalf = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
      if (kept.length() + Character.charCount(point) > most) {
        break;
      }
      kept.appendCodePoint(isHalf ? REPLACED : point);
      i += Character.charCount(point);
    }
    return kept.toString();
  }

  /**
   * Returns a value as it was spelled; empty if it is too long, too deep, or has half characters.
   */
  static Optional<JsonNode> json(RawJson raw, int most) {
    if (raw.length() > most) {
      return Optional.empty();
    }
    try {
      return Optional.of(raw.json()).filter(value -> isSound(value, MOST_LEVELS));
    } catch (BadJson e) {
      return Optional.empty();
    }
  }

  /** Returns a value as {@link #json} does, and of any text as much as is kept. */
  static Optional<JsonNode> cut(RawJson raw, int most) {
    return json(raw, most)
        .or(() -> text(raw).map(text -> JsonNodeFactory.instance.textNode(of(text, most))));
  }

  /** Returns a value as it is, or as a text if it is too deep or has half characters. */
  static JsonNode sound(JsonNode value) {
    if (isSound(value, MOST_LEVELS)) {
      return value;
    }
    String text = value.isTextual() ? value.textValue() : value.toString();
    return JsonNodeFactory.instance.textNode(of(text, text.length()));
  }

  private static Optional<String> text(RawJson raw) {
    try {
      return Optional.of(raw.json()).filter(JsonNode::isTextual).map(JsonNode::textValue);
    } catch (BadJson e) {
      return Optional.empty();
    }
  }

  private static boolean isSound(JsonNode value, int levels) {
    if (value.isTextual()) {
      return isWhole(value.textValue());
    }
    if (value.isContainerNode() && levels == 0) {
      return false;
    }
    for (var member : value.properties()) {
      if (!isWhole(member.getKey())) {
        return false;
      }
    }
    for (JsonNode element : value) {
      if (!isSound(element, levels - 1)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWhole(String text) {
    return text.codePoints()
        .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
  }
}
