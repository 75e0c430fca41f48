package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ShownText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The options that an agent offers with a question, with its names for them. An approval that names
 * none means the one that allows once; where there is not exactly one, it has to name one.
 */
public final class ShownOptions {
  private static final String ONCE = "allow_once";
  private static final String ALWAYS = "allow_always";

  private ShownOptions() {}

  /** Returns a line for each option, numbered from 1. */
  public static List<String> lines(JsonNode request) {
    List<String> lines = new ArrayList<>();
    List<JsonNode> options = all(request);
    for (int i = 0; i < options.size(); i++) {
      lines.add(
          ShownText.line(
              "  "
                  + (i + 1)
                  + " "
                  + options.get(i).path("name").asText()
                  + " ("
                  + meaning(request, options.get(i))
                  + ")"));
    }
    if (!lines.isEmpty()) {
      lines.add(0, "the agent offers:");
    }
    return lines;
  }

  private static String meaning(JsonNode request, JsonNode option) {
    String kind = option.path("kind").asText();
    if (kind.equals(ALWAYS)) {
      return of(request, ONCE).isEmpty()
          ? "allow always: the agent may not ask again"
          : "allow always: counts as once here";
    }
    return kind.replace('_', ' ');
  }

  /** Returns whether an approval has to name an option. */
  public static boolean needChoice(JsonNode request) {
    return !all(request).isEmpty() && of(request, ONCE).size() != 1;
  }

  /** Returns the option of a number that {@link #lines} shows. */
  public static Optional<JsonNode> numbered(JsonNode request, String word) {
    List<JsonNode> options = all(request);
    if (!word.matches("[1-9][0-9]?")) {
      return Optional.empty();
    }
    int number = Integer.parseInt(word);
    return number <= options.size() ? Optional.of(options.get(number - 1)) : Optional.empty();
  }

  /** Returns whether an option allows the action. */
  public static boolean allows(JsonNode option) {
    String kind = option.path("kind").asText();
    return kind.equals(ONCE) || kind.equals(ALWAYS);
  }

  /**
   * Returns the ids of the options of which an approval has to name one; empty if it names none.
   */
  public static List<String> choices(JsonNode request) {
    if (!needChoice(request)) {
      return List.of();
    }
    List<JsonNode> once = of(request, ONCE);
    return (once.isEmpty() ? of(request, ALWAYS) : once)
        .stream().map(option -> option.path("id").asText()).toList();
  }

  private static List<JsonNode> of(JsonNode request, String kind) {
    return all(request).stream()
        .filter(option -> option.path("kind").asText().equals(kind))
        .toList();
  }

  private static List<JsonNode> all(JsonNode request) {
    List<JsonNode> options = new ArrayList<>();
    request.at("/request/options").forEach(options::add);
    return options;
  }
}
