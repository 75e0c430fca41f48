package dev.bridle.proof.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Writes values in canonical form one after the other into a growing buffer, for callers that put a
 * document together. Punctuation between the values is theirs. Not thread-safe.
 */
public final class CanonicalWriter {
  private static final int FIRST_SIZE = 4096;
  private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);

  private byte[] buffer = new byte[FIRST_SIZE];
  private int size;

  /** Returns how many bytes have been written. */
  public int size() {
    return size;
  }

  /** Returns a copy of what has been written. */
  public byte[] toByteArray() {
    return Arrays.copyOf(buffer, size);
  }

  /** Writes characters of ASCII as they are. */
  public void raw(String ascii) {
    reserve(ascii.length());
    for (int i = 0; i < ascii.length(); i++) {
      buffer[size++] = (byte) ascii.charAt(i);
    }
  }

  /**
   * Writes a value.
   *
   * @throws InvalidJsonException if it has no canonical form
   */
  public void value(JsonNode value) {
    value(value, 0);
  }

  /**
   * Returns an object's members in their canonical order, which is that of the UTF-16 code units of
   * their names.
   */
  public static List<Map.Entry<String, JsonNode>> sortedMembers(ObjectNode object) {
    List<Map.Entry<String, JsonNode>> members = new ArrayList<>(object.properties());
    for (int i = 1; i < members.size(); i++) {
      if (members.get(i - 1).getKey().compareTo(members.get(i).getKey()) > 0) {
        members.sort(Map.Entry.comparingByKey());
        break;
      }
    }
    return members;
  }

  private void value(JsonNode value, int depth) {
    switch (value.getNodeType()) {
      case OBJECT -> object((ObjectNode) value, deeper(depth));
      case ARRAY -> array(value, deeper(depth));
      case STRING -> string(value.textValue());
      case NUMBER -> number(value);
      case BOOLEAN -> raw(value.booleanValue() ? "true" : "false");
      case NULL -> raw("null");
      default ->
          throw new InvalidJsonException("A node of type " + value.getNodeType() + " is no JSON.");
    }
  }

  private static int deeper(int depth) {
    if (depth == StrictJson.MAX_DEPTH) {
      throw new InvalidJsonException(
          "The value is nested more than " + StrictJson.MAX_DEPTH + " levels deep.");
    }
    return depth + 1;
  }

  private void object(ObjectNode object, int depth) {
    char separator = '{';
    if (object.isEmpty()) {
      put(separator);
    }
    for (Map.Entry<String, JsonNode> member : sortedMembers(object)) {
      put(separator);
      separator = ',';
      string(member.getKey());
      put(':');
      value(member.getValue(), depth);
    }
    put('}');
  }

  private void array(JsonNode array, int depth) {
    put('[');
    for (int i = 0; i < array.size(); i++) {
      if (i > 0) {
        put(',');
      }
      value(array.get(i), depth);
    }
    put(']');
  }

  private void number(JsonNode number) {
    if (number.isIntegralNumber()) {
      if (!number.canConvertToLong() || !NumberRange.holds(number.longValue())) {
        throw new InvalidJsonException(NumberRange.BEYOND_INTEGERS + ".");
      }
      raw(Long.toString(number.longValue()));
      return;
    }
    double value = number.doubleValue();
    if (!Double.isFinite(value)) {
      throw new InvalidJsonException(NumberRange.BEYOND_DOUBLES + ".");
    }
    if (!NumberRange.holds(value)) {
      throw new InvalidJsonException(NumberRange.BEYOND_INTEGERS + ".");
    }
    raw(EcmaNumber.toString(value));
  }

  /** Writes a text in quotation marks, escaped where it must be and nowhere else. */
  public void string(String text) {
    int length = text.length();
    // A char takes at most six bytes, as \u001f does.
    reserve(length * 6 + 2);
    buffer[size++] = '"';
    int plain = copyPlain(text);
    for (int i = plain; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        i = beyondAscii(text, i);
      } else if (isPlain(c)) {
        buffer[size++] = (byte) c;
      } else {
        escape(c);
      }
    }
    buffer[size++] = '"';
  }

  /** Writes the chars before the first that is not plain, which are nearly always all. */
  private int copyPlain(String text) {
    byte[] to = buffer;
    int at = size;
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80 || !isPlain(c)) {
        size = at;
        return i;
      }
      to[at++] = (byte) c;
    }
    size = at;
    return length;
  }

  private static boolean isPlain(char ascii) {
    return ascii >= ' ' && ascii != '"' && ascii != '\\';
  }

  private void escape(char c) {
    buffer[size++] = '\\';
    switch (c) {
      case '"', '\\' -> buffer[size++] = (byte) c;
      case '\b' -> buffer[size++] = 'b';
      case '\t' -> buffer[size++] = 't';
      case '\n' -> buffer[size++] = 'n';
      case '\f' -> buffer[size++] = 'f';
      case '\r' -> buffer[size++] = 'r';
      default -> {
        buffer[size++] = 'u';
        buffer[size++] = '0';
        buffer[size++] = '0';
        buffer[size++] = HEX[c >> 4];
        buffer[size++] = HEX[c & 0xf];
      }
    }
  }

  /** Writes the code point at an index as UTF-8, and returns the index of its last char. */
  private int beyondAscii(String text, int index) {
    char c = text.charAt(index);
    if (c < 0x800) {
      buffer[size++] = (byte) (0xc0 | (c >> 6));
      buffer[size++] = continuation(c);
      return index;
    }
    if (!Character.isSurrogate(c)) {
      buffer[size++] = (byte) (0xe0 | (c >> 12));
      buffer[size++] = continuation(c >> 6);
      buffer[size++] = continuation(c);
      return index;
    }
    if (TreeReader.isLone(text, index)) {
      throw new InvalidJsonException("A text has a lone surrogate.");
    }
    int point = text.codePointAt(index);
    buffer[size++] = (byte) (0xf0 | (point >> 18));
    buffer[size++] = continuation(point >> 12);
    buffer[size++] = continuation(point >> 6);
    buffer[size++] = continuation(point);
    return index + 1;
  }

  /** Returns one of the bytes of UTF-8 that follow the first: six bits. */
  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3f));
  }

  private void put(char ascii) {
    reserve(1);
    buffer[size++] = (byte) ascii;
  }

  private void reserve(int more) {
    if (buffer.length - size < more) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, size + more));
    }
  }
}
