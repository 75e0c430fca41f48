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
    String tool = request.at("/action/tool").asText();
    if (!tool.isEmpty() && !tool.equals(request.at("/action/kind").asText())) {
      lines.add("tool " + ShownText.line(tool));
    }
    if (request.at("/action/not_exact").isTextual()) {
      lines.add("not known exactly: " + ShownText.line(request.at("/action/not_exact").asText()));
      lines.add("what it does is the agent's word alone; it can be allowed this once only");
    }
    if (request.at("/request/replaces").isTextual()) {
      lines.add("in place of an earlier question: the agent has changed what it asks for");
    }
    addMembers(lines, "", request.at("/action/content"));
    for (JsonNode file : request.at("/action/edited_files")) {
      lines.add("writes " + ShownText.line(file.asText()));
    }
    lines.addAll(said(request));
    lines.addAll(ShownOptions.lines(request));
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

  /** Returns the agent's words beside the action, each line safe to print. */
  public static List<String> said(JsonNode request) {
    List<String> lines = new ArrayList<>();
    for (JsonNode words : List.of(request.at("/action/said"), request.path("metadata"))) {
      words
          .properties()
          .forEach(
              member -> {
                boolean isShown = isInContent(request.at("/action/content"), member.getValue());
                if (!isShown) {
                  addWords(lines, member.getKey(), member.getValue());
                }
              });
    }
    return lines;
  }

  /** A title that is the command says nothing more. */
  private static boolean isInContent(JsonNode content, JsonNode said) {
    return said.isTextual()
        && content.properties().stream().anyMatch(m -> m.getValue().equals(said));
  }

  private static void addWords(List<String> lines, String name, JsonNode value) {
    if (value.isArray() && !value.isEmpty()) {
      value.forEach(each -> addWords(lines, name, each));
    } else if (value.isTextual()) {
      addText(lines, ShownText.line("the agent says " + name) + ": ", value.textValue());
    } else {
      lines.add(ShownText.line("the agent says " + name + ": " + value));
    }
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
