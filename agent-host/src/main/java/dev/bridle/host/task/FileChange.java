package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.acp.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a tool call says that it changes of a file: a part of it, or all of it. The members that are
 * no texts are empty.
 *
 * @param path the file as the agent spells it
 * @param oldText the text before; empty for a new file
 * @param newText the text after
 */
record FileChange(String path, Optional<String> oldText, String newText) {
  /** How many characters are compared to find a part in its file. */
  static final long MOST_STEPS = 20_000_000;

  /** Returns the changes among the parts of a tool call. */
  static List<FileChange> of(ToolCall call) {
    List<FileChange> changes = new ArrayList<>();
    for (JsonNode part : call.content()) {
      if (isChange(part)) {
        changes.add(of(part));
      }
    }
    return List.copyOf(changes);
  }

  /** Returns whether a part of a tool call is one. */
  static boolean isChange(JsonNode part) {
    return part.path("type").asText().equals("diff");
  }

  /** Returns the change that a part is. */
  static FileChange of(JsonNode part) {
    return new FileChange(
        text(part.path("path")).orElse(""),
        text(part.path("oldText")),
        text(part.path("newText")).orElse(""));
  }

  private static Optional<String> text(JsonNode value) {
    return value.isTextual() ? Optional.of(value.textValue()) : Optional.empty();
  }

  /** Returns the text before; that of a new file is empty. */
  String before() {
    return oldText.orElse("");
  }

  /** Returns the same change as changes are compared: the ends of lines and texts don't count. */
  FileChange plain() {
    return new FileChange(path, Optional.of(plain(before())), plain(newText));
  }

  private static String plain(String text) {
    return plainLines(text).stripTrailing();
  }

  /** Returns the same change with the ends of lines as they are compared. */
  FileChange plainLines() {
    return new FileChange(path, Optional.of(plainLines(before())), plainLines(newText));
  }

  private static String plainLines(String text) {
    return text.replace("\r\n", "\n");
  }

  /**
   * Returns whether the texts of both are the same edit, which one of them may show within its
   * file. What both end with counts where it is what changes.
   */
  boolean isSameEdit(FileChange other) {
    return isSameEdit(other, new AtomicLong(MOST_STEPS));
  }

  /**
   * Returns the same.
   *
   * @param steps how many characters may be compared for it, which become fewer
   */
  boolean isSameEdit(FileChange other, AtomicLong steps) {
    return isSame(other, steps) || plain().isSame(other.plain(), steps);
  }

  private boolean isSame(FileChange other, AtomicLong steps) {
    return (before().equals(other.before()) && newText.equals(other.newText))
        || isWithin(other, steps)
        || other.isWithin(this, steps);
  }

  /** The file is the same before and after the part, wherever in the file that stands. */
  private boolean isWithin(FileChange file, AtomicLong steps) {
    String part = before();
    String all = file.before();
    int around = all.length() - part.length();
    if (part.isEmpty() || around < 0 || file.newText.length() - newText.length() != around) {
      return false;
    }
    int last = Math.min(around, samePrefix(all, 0, file.newText));
    for (int at = Math.max(0, around - sameSuffix(all, file.newText)); at <= last; at++) {
      int same = samePrefix(all, at, part);
      long left = steps.addAndGet(-(same + 1));
      if (same == part.length()) {
        if (file.newText.startsWith(newText, at)) {
          return true;
        }
        left = steps.addAndGet(-newText.length());
      }
      if (left < 0) {
        return false;
      }
    }
    return false;
  }

  private static int samePrefix(String text, int from, String other) {
    int most = Math.min(text.length() - from, other.length());
    int same = 0;
    while (same < most && text.charAt(from + same) == other.charAt(same)) {
      same++;
    }
    return same;
  }

  private static int sameSuffix(String text, String other) {
    int most = Math.min(text.length(), other.length());
    int same = 0;
    while (same < most
        && text.charAt(text.length() - 1 - same) == other.charAt(other.length() - 1 - same)) {
      same++;
    }
    return same;
  }
}
