package dev.bridle.core.kernel.validate;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/**
 * Checks that text is well-formed UTF-16. A lone surrogate has no UTF-8 encoding: storage rejects
 * it in keys, and it does not survive being written and read.
 */
public final class WellFormedText {
  private WellFormedText() {}

  /** Returns whether a text has no lone surrogate. */
  public static boolean isWellFormed(String text) {
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

  /** Returns whether all text in a JSON value is well-formed, including member names. */
  public static boolean isWellFormedJson(JsonNode json) {
    if (json.isTextual()) {
      return isWellFormed(json.textValue());
    }
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      if (!isWellFormed(names.next())) {
        return false;
      }
    }
    for (JsonNode inner : json) {
      if (!isWellFormedJson(inner)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether all text in a value of maps and lists is well-formed, including keys. */
  public static boolean isWellFormedValue(Object value) {
    if (value instanceof String text) {
      return isWellFormed(text);
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .allMatch(
              entry -> isWellFormedValue(entry.getKey()) && isWellFormedValue(entry.getValue()));
    }
    return !(value instanceof Collection<?> list)
        || list.stream().allMatch(WellFormedText::isWellFormedValue);
  }

  /** Returns whether all text fields of a message are well-formed. */
  static boolean isWellFormedMessage(Message message) {
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      boolean whole =
          switch (entry.getKey().getJavaType()) {
            case STRING -> isWellFormedValue(entry.getValue());
            case MESSAGE ->
                entry.getValue() instanceof Collection<?> list
                    ? list.stream().allMatch(inner -> isWellFormedMessage((Message) inner))
                    : isWellFormedMessage((Message) entry.getValue());
            default -> true;
          };
      if (!whole) {
        return false;
      }
    }
    return true;
  }
}
