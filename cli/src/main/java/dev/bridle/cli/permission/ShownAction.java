package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ShownText;
import java.util.ArrayList;
import java.util.List;

/** The action that an agent asks for, as whoever answers must see it: whole. */
public final class ShownAction {
  private ShownAction() {}

  /**
   * Returns what a question shows: the exact action, and until when it can be answered, each line
   * safe to print.
   *
   * @param request a permission request
   */
  public static List<String> lines(JsonNode request) {
    List<String> lines = new ArrayList<>();
    lines.add(ShownText.line(request.at("/action/kind").asText()));
    request
        .at("/action/content")
        .properties()
        .forEach(
            member -> {
              String value =
                  member.getValue().isTextual()
                      ? member.getValue().textValue()
                      : member.getValue().toString();
              List<String> shown =
                  value.lines().map(line -> ShownText.line(line.replace("\t", "  "))).toList();
              lines.add("  " + ShownText.line(member.getKey()) + ": " + first(shown));
              shown.stream().skip(1).forEach(line -> lines.add("    " + line));
            });
    for (JsonNode file : request.at("/action/edited_files")) {
      lines.add("writes " + ShownText.line(file.asText()));
    }
    request
        .path("metadata")
        .properties()
        .forEach(
            member ->
                lines.add(
                    ShownText.line(
                        "the agent says " + member.getKey() + ": " + member.getValue())));
    String modifiable = request.at("/request/arguments_member").asText("");
    if (!modifiable.isEmpty()) {
      lines.add(
          "an answer from elsewhere may replace "
              + ShownText.line(modifiable)
              + " (bridle permission)");
    }
    lines.add("until " + request.at("/request/expires_at").asText());
    return lines;
  }

  private static String first(List<String> lines) {
    return lines.isEmpty() ? "" : lines.get(0);
  }
}
