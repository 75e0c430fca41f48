package dev.bridle.harp.vectors;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Copies of the vectors with one value changed in each, by the place of that value. */
final class ChangedVectors {
  /** Members that only people read. */
  private static final Set<String> UNCHECKED = Set.of("about", "name");

  private final JsonNode vectors;
  private final Map<String, JsonNode> changed = new LinkedHashMap<>();

  private ChangedVectors(JsonNode vectors) {
    this.vectors = vectors;
  }

  static Map<String, JsonNode> of(JsonNode vectors) {
    ChangedVectors all = new ChangedVectors(vectors);
    all.walk(JsonPointer.empty(), vectors, true);
    return all.changed;
  }

  private void walk(JsonPointer at, JsonNode value, boolean isOfVectors) {
    value
        .properties()
        .forEach(
            member -> {
              boolean isChecked = !isOfVectors || !UNCHECKED.contains(member.getKey());
              if (isChecked) {
                // Below a document or a message, all members are data.
                walk(
                    at.appendProperty(member.getKey()),
                    member.getValue(),
                    isOfVectors && !member.getValue().isObject());
              }
            });
    for (int index = 0; value.isArray() && index < value.size(); index++) {
      walk(at.appendIndex(index), value.get(index), isOfVectors);
    }
    if (value.isValueNode()) {
      JsonNode copy = vectors.deepCopy();
      replace(copy.at(at.head()), at.last(), change(value));
      changed.put(at.toString(), copy);
    }
  }

  private static void replace(JsonNode parent, JsonPointer last, JsonNode value) {
    if (parent instanceof ArrayNode array) {
      var unused = array.set(last.getMatchingIndex(), value);
    } else {
      var unused = ((ObjectNode) parent).set(last.getMatchingProperty(), value);
    }
  }

  private static JsonNode change(JsonNode value) {
    if (value.isBoolean()) {
      return BooleanNode.valueOf(!value.booleanValue());
    }
    if (value.isNumber()) {
      return LongNode.valueOf(value.longValue() + 1);
    }
    StringBuilder text = new StringBuilder(value.textValue());
    int at = text.length() / 2;
    text.setCharAt(at, text.charAt(at) == 'a' ? 'b' : 'a');
    return TextNode.valueOf(text.toString());
  }
}
