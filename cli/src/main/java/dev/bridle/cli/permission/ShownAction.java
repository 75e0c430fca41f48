package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CountedLines;
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
    addMembers(lines, "", request.at("/action/content"));
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

  /** Where a text of several lines is within a member, that member is shown part by part. */
  private static void addMembers(List<String> lines, String within, JsonNode object) {
    object
        .properties()
        .forEach(member -> addMember(lines, within + member.getKey(), member.getValue()));
  }

  private static void addMember(List<String> lines, String name, JsonNode value) {
    String shown = "  " + ShownText.line(name) + ": ";
    if (value.isTextual()) {
      addText(lines, shown, value.textValue());
    } else if (!hasLines(value)) {
      lines.add(shown + ShownText.line(value.toString()));
    } else if (value.isObject()) {
      addMembers(lines, name + ".", value);
    } else {
      for (int i = 0; i < value.size(); i++) {
        addMember(lines, name + "[" + i + "]", value.get(i));
      }
    }
  }

  private static boolean hasLines(JsonNode value) {
    if (value.isContainerNode()) {
      for (JsonNode part : value) {
        if (hasLines(part)) {
          return true;
        }
      }
    }
    return value.isTextual() && value.textValue().contains("\n");
  }

  /** The lines of a text stand behind a bar, which no member can have, and are counted. */
  private static void addText(List<String> lines, String shown, String text) {
    if (!text.contains("\n")) {
      lines.add(shown + ShownText.line(text.replace("\t", "  ")));
      return;
    }
    CountedLines counted = CountedLines.of(text);
    lines.add(shown + counted.count());
    for (String part : counted.parts()) {
      lines.add("    " + ShownText.barred(part));
    }
  }
}
