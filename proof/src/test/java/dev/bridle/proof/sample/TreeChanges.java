package dev.bridle.proof.sample;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Each way to change one value of a document: removed, added, of another type, slightly other. */
public final class TreeChanges {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final JsonNode document;
  private final Random random;
  private final List<Change> changes = new ArrayList<>();

  private TreeChanges(JsonNode document, Random random) {
    this.document = document;
    this.random = random;
  }

  /**
   * One change.
   *
   * @param name what is changed, and how
   */
  public record Change(String name, JsonNode document, Consumer<JsonNode> change) {
    /** Returns the changed document. */
    public JsonNode apply() {
      JsonNode copy = document.deepCopy();
      change.accept(copy);
      return copy;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Returns the changes of a document, each of which makes it another one. */
  public static List<Change> all(JsonNode document, Random random) {
    TreeChanges all = new TreeChanges(document, random);
    all.below(JsonPointer.empty(), document);
    return all.changes;
  }

  private void below(JsonPointer at, JsonNode value) {
    if (value instanceof ObjectNode object) {
      add(at, "added member", in -> ((ObjectNode) in).put("added", "x"));
      object
          .properties()
          .forEach(
              member -> {
                String name = member.getKey();
                add(at, "removed " + name, in -> ((ObjectNode) in).remove(name));
                add(at, "renamed " + name, in -> rename((ObjectNode) in, name));
                for (JsonNode other : others(member.getValue())) {
                  add(at, name + " = " + other, in -> ((ObjectNode) in).set(name, other));
                }
                below(at.appendProperty(name), member.getValue());
              });
    } else if (value instanceof ArrayNode array) {
      add(at, "added element", in -> ((ArrayNode) in).add("x"));
      for (int i = 0; i < array.size(); i++) {
        int index = i;
        add(at, "removed " + i, in -> ((ArrayNode) in).remove(index));
        for (JsonNode other : others(array.get(i))) {
          add(at, i + " = " + other, in -> ((ArrayNode) in).set(index, other));
        }
        below(at.appendIndex(i), array.get(i));
      }
    }
  }

  private void add(JsonPointer at, String how, Consumer<JsonNode> change) {
    changes.add(new Change(at + " " + how, document, copy -> change.accept(copy.at(at))));
  }

  private static void rename(ObjectNode object, String name) {
    object.set(name + "_", object.remove(name));
  }

  private List<JsonNode> others(JsonNode value) {
    List<JsonNode> others = new ArrayList<>();
    others.add(NODES.nullNode());
    others.add(NODES.textNode(""));
    others.add(NODES.booleanNode(!value.booleanValue()));
    others.add(NODES.numberNode(-1));
    others.add(NODES.numberNode(1.5));
    others.add(NODES.objectNode());
    others.add(NODES.arrayNode());
    if (value.isTextual()) {
      others.add(NODES.textNode(value.textValue() + "x"));
      others.add(NODES.textNode(flipped(value.textValue())));
    } else if (value.isNumber()) {
      others.add(NODES.numberNode(value.doubleValue() + 1));
      others.add(NODES.numberNode(Math.nextUp(value.doubleValue())));
    }
    others.removeIf(other -> isSame(other, value) || isInexact(other));
    return others;
  }

  /** Returns a text with one bit of one char of ASCII changed. */
  private String flipped(String text) {
    if (text.isEmpty()) {
      return "x";
    }
    int at = random.nextInt(text.length());
    char c = text.charAt(at);
    return c < ' ' || c >= 0x7f
        ? text + "y"
        : text.substring(0, at) + (char) (c ^ 1) + text.substring(at + 1);
  }

  private static boolean isInexact(JsonNode value) {
    double size = Math.abs(value.doubleValue());
    return size >= 1L << 53 && size < 1e21;
  }

  /** Canonical JSON has no types of numbers, and no negative zero. */
  private static boolean isSame(JsonNode one, JsonNode other) {
    return (one.isNumber() && other.isNumber())
        ? one.doubleValue() == other.doubleValue()
        : one.equals(other);
  }
}
