package dev.bridle.proof.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Makes a tree of the tokens of one document, and rejects the values that readers disagree on. */
final class TreeReader {
  /** An integer of so many digits is below 2^53. */
  private static final int SURE_DIGITS = 15;

  private static final int MAX_DIGITS = 16;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final JsonParser parser;
  private final boolean checksSurrogates;

  TreeReader(JsonParser parser, boolean checksSurrogates) {
    this.parser = parser;
    this.checksSurrogates = checksSurrogates;
  }

  JsonNode read() throws IOException {
    if (parser.nextToken() == null) {
      throw new InvalidJsonException("The document is empty.");
    }
    JsonNode value = value(0);
    if (parser.nextToken() != null) {
      throw invalid("There is more text after the value");
    }
    return value;
  }

  private JsonNode value(int depth) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(deeper(depth));
      case START_ARRAY -> array(deeper(depth));
      case VALUE_STRING -> NODES.textNode(wellFormed(parser.getText()));
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> number(parser.getText());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      default -> throw invalid("The document ends within a value");
    };
  }

  private int deeper(int depth) {
    if (depth == StrictJson.MAX_DEPTH) {
      throw invalid("The document is nested more than " + StrictJson.MAX_DEPTH + " levels deep");
    }
    return depth + 1;
  }

  private ObjectNode object(int depth) throws IOException {
    ObjectNode object = NODES.objectNode();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      if (object.replace(wellFormed(name), value(depth)) != null) {
        throw ambiguous("An object has the same member twice");
      }
    }
    return object;
  }

  private ArrayNode array(int depth) throws IOException {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(depth));
    }
    return array;
  }

  private JsonNode integer() throws IOException {
    int length = parser.getTextLength();
    if (length <= SURE_DIGITS) {
      return NODES.numberNode(parser.getLongValue());
    }
    String text = parser.getText();
    int digits = text.startsWith("-") ? length - 1 : length;
    if (digits > MAX_DIGITS || !NumberRange.holds(Long.parseLong(text))) {
      throw ambiguous(NumberRange.BEYOND_INTEGERS);
    }
    return NODES.numberNode(Long.parseLong(text));
  }

  private JsonNode number(String text) {
    double number = Double.parseDouble(text);
    if (Double.isInfinite(number)) {
      throw ambiguous(NumberRange.BEYOND_DOUBLES);
    }
    if (!NumberRange.holds(number)) {
      throw ambiguous(NumberRange.BEYOND_INTEGERS);
    }
    return NODES.numberNode(number);
  }

  private InvalidJsonException invalid(String what) {
    return new InvalidJsonException(here(what));
  }

  private AmbiguousJsonException ambiguous(String what) {
    return new AmbiguousJsonException(here(what));
  }

  private String here(String what) {
    return what + StrictJson.position(parser.currentTokenLocation()) + ".";
  }

  private String wellFormed(String text) {
    if (checksSurrogates && hasLoneSurrogate(text)) {
      throw ambiguous("A text has a lone surrogate");
    }
    return text;
  }

  private static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i)) && isLone(text, i)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a surrogate at an index is no half of a pair. */
  static boolean isLone(String text, int index) {
    return Character.isHighSurrogate(text.charAt(index))
        ? index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1))
        : index == 0 || !Character.isHighSurrogate(text.charAt(index - 1));
  }
}
