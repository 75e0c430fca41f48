package dev.bridle.gateway.kit.route;

import java.util.ArrayList;
import java.util.List;

/**
 * The path of a route, such as {@code /v1/sessions/{session_id}/tasks}: segments that are literals
 * or whole variables. Rejects the rest of the {@code google.api.http} grammar, which the contract
 * does not use.
 */
public record PathTemplate(String text, List<Segment> segments) {

  /** One segment of a path: a literal, or the name of the field that receives the segment. */
  public record Segment(String text, boolean variable) {}

  /** Copies the list of segments. */
  public PathTemplate {
    segments = List.copyOf(segments);
  }

  /**
   * Parses a template.
   *
   * @throws IllegalArgumentException if it uses unsupported grammar
   */
  public static PathTemplate parse(String text) {
    if (text.equals("/")) {
      return new PathTemplate(text, List.of());
    }
    if (!text.startsWith("/") || text.endsWith("/")) {
      throw new IllegalArgumentException(
          "The path \"" + text + "\" must begin with a slash and not end with one.");
    }
    List<Segment> segments = new ArrayList<>();
    for (String part : text.substring(1).split("/", -1)) {
      if (part.matches("\\{[a-z][a-z0-9_]*}")) {
        segments.add(new Segment(part.substring(1, part.length() - 1), true));
      } else if (part.matches("[A-Za-z0-9._~-]+")) {
        segments.add(new Segment(part, false));
      } else {
        throw new IllegalArgumentException(
            "The path \""
                + text
                + "\" has the segment \""
                + part
                + "\"; expected a literal or {field_name}.");
      }
    }
    return new PathTemplate(text, segments);
  }

  /** Returns the names of the variables, from left to right. */
  public List<String> variables() {
    return segments.stream().filter(Segment::variable).map(Segment::text).toList();
  }
}
