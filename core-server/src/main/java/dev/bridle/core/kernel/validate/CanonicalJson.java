package dev.bridle.core.kernel.validate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The canonical JSON that is hashed: RFC 8785 (members in the order of their UTF-16 code units, no
 * white space, minimal escapes), except that numbers keep their spelling, since that RFC makes
 * different integers equal.
 */
public final class CanonicalJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private CanonicalJson() {}

  /** Returns the canonical form of JSON that {@link FreeFormJson} has checked. */
  public static ByteString of(ByteString json) {
    try (JsonParser parser = FACTORY.createParser(json.toByteArray())) {
      parser.nextToken();
      StringBuilder out = new StringBuilder(json.size());
      write(parser, out);
      return ByteString.copyFromUtf8(out.toString());
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }

  private static void write(JsonParser parser, StringBuilder out) throws IOException {
    switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, out);
      case START_ARRAY -> {
        out.append('[');
        String comma = "";
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          out.append(comma);
          write(parser, out);
          comma = ",";
        }
        out.append(']');
      }
      case VALUE_STRING -> text(parser.getText(), out);
      default -> out.append(parser.getText());
    }
  }

  private static void object(JsonParser parser, StringBuilder out) throws IOException {
    Map<String, String> members = new TreeMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      StringBuilder member = new StringBuilder();
      write(parser, member);
      members.put(name, member.toString());
    }
    out.append('{');
    String comma = "";
    for (Map.Entry<String, String> member : members.entrySet()) {
      out.append(comma);
      text(member.getKey(), out);
      out.append(':').append(member.getValue());
      comma = ",";
    }
    out.append('}');
  }

  private static void text(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20) {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
