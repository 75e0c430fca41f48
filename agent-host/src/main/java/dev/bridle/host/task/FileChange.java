package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.acp.ToolCall;
import java.util.ArrayList;
import java.util.List;

/**
 * What a tool call says that it changes of a file: a part of it, or all of it.
 *
 * @param path the file as the agent spells it
 * @param before the old text, empty for a new file
 * @param after the new text
 */
record FileChange(String path, String before, String after) {
  /** Returns the changes among the parts of a tool call. */
  static List<FileChange> of(ToolCall call) {
    List<FileChange> changes = new ArrayList<>();
    for (JsonNode part : call.content()) {
      if (part.path("type").asText().equals("diff")) {
        changes.add(
            new FileChange(
                part.path("path").asText(),
                plain(part.path("oldText").asText("")),
                plain(part.path("newText").asText(""))));
      }
    }
    return List.copyOf(changes);
  }

  /** The ends of lines and of the text may be spelled otherwise. */
  private static String plain(String text) {
    return text.replace("\r\n", "\n").stripTrailing();
  }

  /** Returns whether the texts of both are the same edit, which may be shown within its file. */
  boolean isSameEdit(FileChange other) {
    return (before.equals(other.before) && after.equals(other.after))
        || isWithin(other)
        || other.isWithin(this);
  }

  private boolean isWithin(FileChange whole) {
    if (before.isEmpty()) {
      return false;
    }
    for (int at = whole.before.indexOf(before);
        at >= 0;
        at = whole.before.indexOf(before, at + 1)) {
      String start = whole.before.substring(0, at);
      String end = whole.before.substring(at + before.length());
      if (whole.after.equals(start + after + end)) {
        return true;
      }
    }
    return false;
  }
}
