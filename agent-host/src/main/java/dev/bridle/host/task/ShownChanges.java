package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** The files that people were shown an action for, and what it changes in them. */
final class ShownChanges {
  private static final Set<String> CHANGING = Set.of("edit", "delete", "move");

  /** Of more pairs of changes only those with the same texts are the same edit. */
  private static final int MOST_PAIRS = 4096;

  private static final String CHANGES = "changes";

  private final String actionKind;
  private final ShownPaths paths;

  /** The changes, where the input does not say them. */
  private final Set<FileChange> changes;

  private final InputParts input;

  private ShownChanges(
      String actionKind, ShownPaths paths, Set<FileChange> changes, InputParts input) {
    this.actionKind = actionKind;
    this.paths = paths;
    this.changes = changes;
    this.input = input;
  }

  /**
   * Returns what was shown.
   *
   * @param parts what the input says
   */
  static ShownChanges of(
      Question.Permission question, AskedAction action, InputParts parts, Path folder) {
    ArrayNode files = JsonNodeFactory.instance.arrayNode();
    action.editedFiles().forEach(files::add);
    List<FileChange> asked = FileChange.of(question.asked());
    // What is too large stands in the content by its hash, which names no file.
    asked.forEach(change -> files.add(change.path()));
    question.asked().locations().forEach(place -> files.add(place.path("path").asText()));
    question.declaredPaths().forEach(files::add);
    Set<FileChange> changes = new LinkedHashSet<>();
    InputTexts texts = InputTexts.of(parts.bound());
    if (!asked.stream().allMatch(texts::say)) {
      asked.forEach(change -> changes.add(change.plainLines()));
    }
    ShownPaths paths = ShownPaths.of(action.content(), folder).with(parts.bound()).with(files);
    return new ShownChanges(action.kind(), paths, changes, parts);
  }

  /** Returns about how much memory they take. */
  long bytes() {
    return paths.bytes()
        + changes.stream()
            .mapToLong(change -> change.before().length() + change.newText().length())
            .sum();
  }

  /** Returns the same files, and those of other arguments, which say what is done. */
  ShownChanges with(JsonNode arguments) {
    return new ShownChanges(actionKind, paths.with(arguments), Set.of(), input);
  }

  /** Adds what a call changes otherwise than was shown. */
  void compare(ToolCall call, ObjectNode difference) {
    if (actionKind.equals(AskedAction.COMMAND)) {
      return; // What a command has changed is its result.
    }
    List<FileChange> reported = FileChange.of(call);
    Set<String> others = new LinkedHashSet<>();
    reported.forEach(change -> others.add(change.path()));
    if (CHANGING.contains(actionKind)) {
      call.locations().forEach(place -> others.add(place.path("path").asText()));
    }
    if (!changes.isEmpty() && !input.saysMoreThanPlaces()) {
      others.addAll(inputFiles(call));
    }
    others.removeIf(path -> path.isEmpty() || paths.has(path));
    if (!others.isEmpty()) {
      others.forEach(difference.putObject(CHANGES).putArray("acted")::add);
    } else if (!changes.isEmpty()) {
      compareTexts(reported, difference);
    }
  }

  /** Returns the files that an input names, which may be said only after the changes were shown. */
  private static List<String> inputFiles(ToolCall call) {
    return call.rawInput().jsonIfReadable().properties().stream()
        .filter(member -> PlaceNames.isFile(member.getKey()))
        .map(member -> member.getValue().asText())
        .filter(path -> path.startsWith("/"))
        .toList();
  }

  private void compareTexts(List<FileChange> reported, ObjectNode difference) {
    Map<String, List<FileChange>> shown =
        changes.stream().collect(Collectors.groupingBy(change -> paths.normal(change.path())));
    boolean isMany = (long) changes.size() * reported.size() > MOST_PAIRS;
    AtomicLong steps = new AtomicLong(FileChange.MOST_STEPS);
    InputTexts texts = InputTexts.of(input.bound());
    for (FileChange said : reported) {
      FileChange now = said.plainLines();
      List<FileChange> there = shown.getOrDefault(paths.normal(now.path()), List.of());
      boolean isShown =
          isMany
              ? changes.contains(now)
              : there.stream().anyMatch(change -> now.isSameEdit(change, steps));
      if (!isShown && !texts.say(now)) {
        ObjectNode both = difference.putObject(CHANGES);
        there.forEach(change -> both.putObject("allowed").put("newText", change.newText()));
        both.putObject("acted").put("path", now.path()).put("newText", now.newText());
        return;
      }
    }
  }
}
