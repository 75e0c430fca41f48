package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ShownText;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;

/**
 * A column of a list, and a part of a resource's line of text.
 *
 * @param width the least width in a line of text
 */
record Column(String heading, int width, Function<JsonNode, String> value) {
  /** Makes its values safe to print. */
  Column {
    value = value.andThen(ShownText::line);
  }

  /** Returns columns of members. Members that begin with a slash are JSON Pointers. */
  static Column[] of(String... members) {
    return Arrays.stream(members).map(Column::of).toArray(Column[]::new);
  }

  private static Column of(String member) {
    String heading = member.replaceAll("^/", "").replaceAll("[/_]", " ").toUpperCase(Locale.ROOT);
    return new Column(
        heading,
        0,
        resource -> {
          JsonNode value = member.startsWith("/") ? resource.at(member) : resource.path(member);
          return value.isValueNode() ? value.asText() : value.toString();
        });
  }

  String padded(JsonNode resource) {
    String text = value.apply(resource);
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
