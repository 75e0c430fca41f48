package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.bridle.cli.console.CountedLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.console.Style;
import dev.bridle.cli.console.StyledLine;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.RequestedActions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An artifact in lines for a person who decides about it, all of them safe to print. Whatever the
 * hash covers is shown, each part of the payload on lines of its own. Lines of a text stand behind
 * a bar, and what an array has is spelled as JSON, so that neither can be taken for a member.
 */
final class ShownArtifact {
  private static final String COMMAND = "command.review";
  private static final String PATCH = "patch.review";

  /** What a person reads first of a command. */
  private static final List<String> OF_A_COMMAND =
      List.of("command", "argv", "args", "arguments", "cwd", "workingDirectory", "env");

  /** What is deeper is shown as JSON: its lines would begin with paths without end. */
  private static final int DEEPEST = 8;

  private static final Set<String> DIFFS = Set.of("diff", "patch");

  /** What stands in lines of their own, or is computed from the rest. */
  private static final Set<String> OTHERWISE_SHOWN =
      Set.of(
          "requestId",
          "artifactType",
          "repoRef",
          "createdAt",
          "expiresAt",
          "payload",
          "artifactHashAlg",
          "artifactHash");

  private final List<StyledLine> lines = new ArrayList<>();
  private final boolean patch;

  private ShownArtifact(boolean patch) {
    this.patch = patch;
  }

  /** Returns the lines: what it is about, until when, and each member of the payload whole. */
  static List<StyledLine> lines(Artifact artifact) {
    ShownArtifact shown = new ShownArtifact(artifact.type().equals(PATCH));
    shown.add(artifact.type() + " " + ShownText.line(artifact.requestId()));
    shown.add("in " + ShownText.line(artifact.repoRef()));
    shown.add("until " + artifact.expiresAt());
    JsonNode payload = artifact.payload();
    Set<String> names = new LinkedHashSet<>();
    if (artifact.type().equals(COMMAND)) {
      OF_A_COMMAND.stream().filter(payload::has).forEach(names::add);
    }
    payload.fieldNames().forEachRemaining(names::add);
    names.forEach(name -> shown.member(name, name, payload.get(name), 0));
    artifact
        .json()
        .properties()
        .forEach(
            beside -> {
              if (beside.getKey().equals("extensions") && shown.buttons(artifact)) {
                return;
              }
              if (!OTHERWISE_SHOWN.contains(beside.getKey())) {
                shown.add(
                    "beside it, "
                        + beside.getKey()
                        + ": "
                        + ShownText.line(text(beside.getValue())));
              }
            });
    shown.add("hash " + artifact.hash());
    return shown.lines;
  }

  /** Adds the buttons that it asks for; returns false if it has other extensions, too. */
  private boolean buttons(Artifact artifact) {
    Optional<List<RequestedActions.Action>> buttons = RequestedActions.alone(artifact);
    for (RequestedActions.Action button : buttons.orElse(List.of())) {
      String means = button.answer().alias() + ", " + button.style();
      add(
          "button "
              + ShownText.line(button.id())
              + ": "
              + ShownText.line(button.caption())
              + " ("
              + means
              + ")");
    }
    return buttons.isPresent();
  }

  private void add(String line) {
    lines.add(StyledLine.plain(line));
  }

  private static String text(JsonNode value) {
    return value.isTextual() ? value.textValue() : value.toString();
  }

  /**
   * Adds a member.
   *
   * @param path where it is in the payload
   * @param name its own name
   * @param depth how many objects and arrays it is in
   */
  private void member(String path, String name, JsonNode value, int depth) {
    String shown = "  " + ShownText.line(path) + ": ";
    if (value.isTextual()) {
      text(shown, name, value.textValue());
    } else if (value.isEmpty() || depth == DEEPEST) {
      add(shown + ShownText.line(value.toString()));
    } else if (value.isObject()) {
      value
          .properties()
          .forEach(
              part ->
                  member(path + "." + part.getKey(), part.getKey(), part.getValue(), depth + 1));
    } else {
      for (int at = 0; at < value.size(); at++) {
        element(path + "[" + at + "]", name, value.get(at), depth + 1);
      }
    }
  }

  /** An argument of a command is quoted, so that blanks around it, and an empty one, are seen. */
  private void element(String path, String name, JsonNode value, int depth) {
    if (value.isTextual() && value.textValue().indexOf('\n') < 0) {
      add("  " + ShownText.line(path) + ": " + ShownText.line(value.toString()));
    } else {
      member(path, name, value, depth);
    }
  }

  private void text(String shown, String name, String text) {
    boolean named = DIFFS.contains(name);
    if (text.indexOf('\n') < 0) {
      boolean seen = !text.isEmpty() && text.equals(text.strip()) && !text.startsWith("\"");
      String spelled = seen ? text.replace("\t", "  ") : TextNode.valueOf(text).toString();
      add(shown + ShownText.line(spelled));
      return;
    }
    CountedLines counted = CountedLines.of(text);
    Optional<UnifiedDiff> diff =
        named || patch ? UnifiedDiff.read(counted.parts()) : Optional.empty();
    if (diff.isPresent()) {
      add(shown + counted.count() + summary(diff.get()));
      diff.get().files().forEach(this::file);
    } else {
      add(shown + counted.count() + (named ? "; not a unified diff: read it as a text" : ""));
    }
    for (int at = 0; at < counted.parts().size(); at++) {
      Style style = diff.isPresent() ? diff.get().styles().get(at) : Style.PLAIN;
      lines.add(new StyledLine(style, "    " + ShownText.barred(counted.parts().get(at))));
    }
  }

  private static String summary(UnifiedDiff diff) {
    int files = diff.files().size();
    return "; a unified diff of "
        + files
        + (files == 1 ? " file, +" : " files, +")
        + diff.added()
        + " -"
        + diff.removed();
  }

  private void file(UnifiedDiff.ChangedFile file) {
    String name = ShownText.line(file.name());
    lines.add(
        new StyledLine(
            Style.HEADING, "    " + name + "  +" + file.added() + " -" + file.removed()));
  }
}
