package dev.bridle.core.integrations.connector.mapping;

import com.fasterxml.jackson.core.JsonPointer;
import dev.bridle.core.kernel.error.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A text with placeholders for values of a delivery. A placeholder in braces is a JSON Pointer,
 * {@code header:Name}, {@code body} or the name of a value of the caller; a {@code ?} at its end
 * makes it optional. A literal brace is doubled. Templates contain no code.
 */
public final class Template {
  /** The maximum length of a rendered text in characters. */
  public static final int MOST = 1 << 18;

  private static final String HEADER = "header:";
  private static final String BODY = "body";

  private final List<Piece> pieces;

  private Template(List<Piece> pieces) {
    this.pieces = List.copyOf(pieces);
  }

  private record Piece(String spelling, Source source, boolean optional) {}

  private interface Source {
    Optional<String> of(DeliveryContent content, Map<String, String> values);
  }

  /**
   * Parses a template.
   *
   * @param param the request's member with the template
   * @param values the names of the caller's values
   * @throws ProtocolException {@code invalid_request} if the template is malformed
   */
  public static Template parse(String param, String text, List<String> values) {
    List<Piece> pieces = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean doubled = at + 1 < text.length() && text.charAt(at + 1) == c;
      if ((c == '{' || c == '}') && doubled) {
        literal.append(c);
        at += 2;
      } else if (c == '{') {
        int end = text.indexOf('}', at);
        if (end < 0) {
          throw ProtocolException.invalid(param, "has a { without its }; spell a brace {{");
        }
        literal(pieces, literal);
        pieces.add(place(param, text.substring(at + 1, end), values));
        at = end + 1;
      } else if (c == '}') {
        throw ProtocolException.invalid(param, "has a } without its {; spell a brace }}");
      } else {
        literal.append(c);
        at++;
      }
    }
    literal(pieces, literal);
    return new Template(pieces);
  }

  /**
   * Renders the text for a delivery.
   *
   * @param values the caller's values by name
   * @throws MappingException if the delivery lacks a required value, or the text is too long
   */
  public String render(DeliveryContent content, Map<String, String> values) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : pieces) {
      Optional<String> value = piece.source().of(content, values);
      if (value.isEmpty() && !piece.optional()) {
        throw new MappingException("The delivery has no value for {" + piece.spelling() + "}.");
      }
      text.append(value.orElse(""));
      if (text.length() > MOST) {
        throw new MappingException(
            "The text is longer than " + MOST + " characters; use a part of the delivery.");
      }
    }
    return text.toString();
  }

  private static void literal(List<Piece> pieces, StringBuilder literal) {
    if (!literal.isEmpty()) {
      String text = literal.toString();
      pieces.add(new Piece("", (content, values) -> Optional.of(text), false));
      literal.setLength(0);
    }
  }

  private static Piece place(String param, String spelling, List<String> values) {
    boolean optional = spelling.endsWith("?");
    String name = optional ? spelling.substring(0, spelling.length() - 1) : spelling;
    return new Piece(spelling, source(param, name, values), optional);
  }

  private static Source source(String param, String name, List<String> names) {
    if (name.startsWith("/")) {
      JsonPointer pointer = JsonPointer.compile(name);
      return (content, values) -> content.at(pointer);
    }
    if (name.startsWith(HEADER) && name.length() > HEADER.length()) {
      String header = name.substring(HEADER.length());
      return (content, values) -> content.header(header);
    }
    if (name.equals(BODY)) {
      return (content, values) -> Optional.of(content.text());
    }
    if (names.contains(name)) {
      return (content, values) -> Optional.ofNullable(values.get(name));
    }
    throw ProtocolException.invalid(
        param,
        "names {"
            + name
            + "}, which is unknown; use {/json/pointer}, {header:Name} or one of {body}"
            + String.join("", names.stream().map(known -> ", {" + known + "}").toList()));
  }
}
