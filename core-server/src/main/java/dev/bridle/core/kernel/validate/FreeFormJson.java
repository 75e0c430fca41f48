package dev.bridle.core.kernel.validate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.error.ProtocolException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Validates free-form JSON, which is transported and stored as the bytes that the client sent.
 * Checked in the core, so that the rules hold for gRPC and REST alike.
 */
public final class FreeFormJson {
  /** The maximum nesting depth. */
  public static final int MAX_DEPTH = 64;

  private static final int MAX_NUMBER = 1000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_NUMBER)
                  .build())
          .build();

  private FreeFormJson() {}

  /**
   * Checks that bytes are one JSON value: UTF-8, no deeper than {@value #MAX_DEPTH}, no member
   * twice, no half of a surrogate pair.
   *
   * @param objectOnly whether only an object is accepted
   * @param param the member of the request that has the bytes
   */
  public static void check(byte[] json, boolean objectOnly, String param) {
    try (JsonParser parser = FACTORY.createParser(json)) {
      JsonToken first = parser.nextToken();
      if (first == null || (objectOnly && first != JsonToken.START_OBJECT)) {
        throw ProtocolException.invalid(
            param, objectOnly ? "must be a JSON object" : "must be a JSON value");
      }
      for (JsonToken token = first; token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME) {
          checkText(parser.getText(), param);
        }
        if (parser.getParsingContext().inRoot() && token != first && !token.isStructEnd()) {
          throw ProtocolException.invalid(param, "holds more than one JSON value");
        }
      }
    } catch (IOException e) {
      throw ProtocolException.invalid(param, reason(e));
    }
  }

  /** Returns whether an object, which was checked, is empty or absent. */
  public static boolean isEmptyObject(ByteString object) {
    if (object.isEmpty()) {
      return true;
    }
    try (JsonParser parser = FACTORY.createParser(object.newInput())) {
      return parser.nextToken() == JsonToken.START_OBJECT
          && parser.nextToken() == JsonToken.END_OBJECT;
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }

  /** Returns whether an object, which was checked, has a member of that name. */
  public static boolean hasMember(ByteString object, String name) {
    try (JsonParser parser = FACTORY.createParser(object.newInput())) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        if (parser.currentName().equals(name)) {
          return true;
        }
        parser.nextToken();
        parser.skipChildren();
      }
      return false;
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }

  /** Returns a member of an object, which was checked, if it is a number that fits. */
  public static OptionalLong count(ByteString object, String name) {
    try (JsonParser parser = FACTORY.createParser(object.newInput())) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean found = parser.currentName().equals(name);
        JsonToken value = parser.nextToken();
        if (found) {
          return value == JsonToken.VALUE_NUMBER_INT
                  && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER
              ? OptionalLong.of(parser.getLongValue())
              : OptionalLong.empty();
        }
        parser.skipChildren();
      }
      return OptionalLong.empty();
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }

  /** Returns a member of an object, which was checked, if it is a text. */
  public static Optional<String> text(ByteString object, String name) {
    if (object.isEmpty()) {
      return Optional.empty();
    }
    try (JsonParser parser = FACTORY.createParser(object.newInput())) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean found = parser.currentName().equals(name);
        JsonToken value = parser.nextToken();
        if (found) {
          return value == JsonToken.VALUE_STRING ? Optional.of(parser.getText()) : Optional.empty();
        }
        parser.skipChildren();
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }

  /**
   * Returns a form that equivalent JSON shares: members sorted, no white space, numbers as they are
   * spelled.
   */
  public static String canonical(byte[] json) {
    try (JsonParser parser = FACTORY.createParser(json)) {
      parser.nextToken();
      StringBuilder out = new StringBuilder();
      write(parser, out);
      return out.toString();
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }

  private static void write(JsonParser parser, StringBuilder out) throws IOException {
    switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, String> members = new TreeMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          StringBuilder member = new StringBuilder();
          write(parser, member);
          members.put(name, member.toString());
        }
        out.append('{');
        members.forEach(
            (name, value) -> {
              text(name, out);
              out.append(value).append(',');
            });
        out.append('}');
      }
      case START_ARRAY -> {
        out.append('[');
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          write(parser, out);
          out.append(',');
        }
        out.append(']');
      }
      case VALUE_STRING -> text(parser.getText(), out);
      default -> out.append(parser.getText());
    }
  }

  /** Writes text with its length before it, so that the form is unambiguous. */
  private static void text(String text, StringBuilder out) {
    out.append('"').append(text.length()).append(':').append(text);
  }

  private static void checkText(String text, String param) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw ProtocolException.invalid(param, "holds half of a surrogate pair");
    }
  }

  /** Describes the error without the parser's own message, which names internals. */
  private static String reason(IOException e) {
    if (e instanceof StreamConstraintsException) {
      return "is nested deeper than "
          + MAX_DEPTH
          + " levels, or holds a number or a text that is too long";
    }
    if (e instanceof JsonParseException broken) {
      JsonLocation at = broken.getLocation();
      boolean twice = String.valueOf(broken.getOriginalMessage()).startsWith("Duplicate field");
      String where =
          at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
      return twice
          ? "holds a member twice" + where + "; give each member once"
          : "is not valid JSON" + where;
    }
    return "is not valid JSON in UTF-8";
  }
}
