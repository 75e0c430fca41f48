package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ShownText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options that an agent offers with a question, with its names for them, numbered from 1. */
public final class ShownOptions {
  private ShownOptions() {}

  /** Returns a line for each option, numbered from 1. */
  public static List<String> lines(JsonNode request) {
    List<String> lines = new ArrayList<>();
    OfferedOptions options = OfferedOptions.of(request);
    for (JsonNode option : options.all()) {
      lines.add(
          ShownText.line(
              "  "
                  + (lines.size() + 1)
                  + " "
                  + option.path("name").asText()
                  + " ("
                  + meaning(options, option)
                  + ")"));
    }
    if (!lines.isEmpty()) {
      lines.add(0, "the agent offers:");
    }
    return lines;
  }

  private static String meaning(OfferedOptions options, JsonNode option) {
    String kind = option.path("kind").asText();
    if (kind.equals(OfferedOptions.ALWAYS)) {
      return options.meansAlways(option)
          ? "allow always: the agent may not ask again"
          : "allow always: counts as once here";
    }
    return kind.replace('_', ' ');
  }

  /** Returns the option of a number that {@link #lines} shows. */
  public static Optional<JsonNode> numbered(JsonNode request, String word) {
    List<JsonNode> options = OfferedOptions.of(request).all();
    if (!word.matches("[1-9][0-9]?")) {
      return Optional.empty();
    }
    int number = Integer.parseInt(word);
    return number <= options.size() ? Optional.of(options.get(number - 1)) : Optional.empty();
  }
}
