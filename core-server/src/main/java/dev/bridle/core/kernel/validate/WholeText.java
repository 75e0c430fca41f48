package dev.bridle.core.kernel.validate;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/**
 * Tells whether text is made of whole characters. Half of a surrogate pair is in no UTF-8: storage
 * takes it in no key, and what is written of it can't be read back as it was.
 */
public final class WholeText {
  private WholeText() {}

  /** Returns whether a text has no half of a surrogate pair. */
  public static boolean isWhole(String text) {
    for (int at = 0; at < text.length(); at++) {
      char unit = text.charAt(at);
      if (Character.isSurrogate(unit)) {
        boolean pair =
            Character.isHighSurrogate(unit)
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
        if (!pair) {
          return false;
        }
        at++;
      }
    }
    return true;
  }

  /** Returns whether all text in a JSON value is whole, the names of members too. */
  public static boolean isWholeJson(JsonNode json) {
    if (json.isTextual()) {
      return isWhole(json.textValue());
    }
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      if (!isWhole(names.next())) {
        return false;
      }
    }
    for (JsonNode inner : json) {
      if (!isWholeJson(inner)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether all text in a value of maps and lists is whole, the keys too. */
  public static boolean isWholeValue(Object value) {
    if (value instanceof String text) {
      return isWhole(text);
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .allMatch(entry -> isWholeValue(entry.getKey()) && isWholeValue(entry.getValue()));
    }
    return !(value instanceof Collection<?> list)
        || list.stream().allMatch(WholeText::isWholeValue);
  }

  /** Returns whether all text fields of a message are whole. */
  static boolean isWholeMessage(Message message) {
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      boolean whole =
          switch (entry.getKey().getJavaType()) {
            case STRING -> isWholeValue(entry.getValue());
            case MESSAGE ->
                entry.getValue() instanceof Collection<?> list
                    ? list.stream().allMatch(inner -> isWholeMessage((Message) inner))
                    : isWholeMessage((Message) entry.getValue());
            default -> true;
          };
      if (!whole) {
        return false;
      }
    }
    return true;
  }
}
