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
import java.util.stream.Collectors;

/** The files that people were shown an action for, and what it changes in them. */
final class ShownChanges {
  private static final Set<String> CHANGING = Set.of("edit", "delete", "move");

  /** Of more pairs of changes only those with the same texts are the same edit. */
  private static final int MOST_PAIRS = 4096;

  private static final String CHANGES = "changes";

  private final String actionKind;
  private final ShownPaths paths;

  /** The changes, where nothing else says what is done. */
  private final Set<FileChange> changes;

  private ShownChanges(String actionKind, ShownPaths paths, Set<FileChange> changes) {
    this.actionKind = actionKind;
    this.paths = paths;
    this.changes = changes;
  }

  /**
   * Returns what was shown.
   *
   * @param saysMore whether the input says more of what is done than where
   */
  static ShownChanges of(
      Question.Permission question, AskedAction action, boolean saysMore, Path folder) {
    ArrayNode files = JsonNodeFactory.instance.arrayNode();
    action.editedFiles().forEach(files::add);
    Set<FileChange> changes = new LinkedHashSet<>();
    if (!saysMore) {
      FileChange.of(question.asked()).forEach(change -> changes.add(change.plain()));
    }
    return new ShownChanges(
        action.kind(), ShownPaths.of(action.content(), folder).with(files), changes);
  }

  /** Returns the same files, and those of other arguments, which say what is done. */
  ShownChanges with(JsonNode arguments) {
    return new ShownChanges(actionKind, paths.with(arguments), Set.of());
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
    others.removeIf(path -> path.isEmpty() || paths.has(path));
    if (!others.isEmpty()) {
      others.forEach(difference.putObject(CHANGES).putArray("acted")::add);
    } else if (!changes.isEmpty()) {
      compareTexts(reported, difference);
    }
  }

  private void compareTexts(List<FileChange> reported, ObjectNode difference) {
    Map<String, List<FileChange>> shown =
        changes.stream().collect(Collectors.groupingBy(change -> paths.normal(change.path())));
    boolean isMany = (long) changes.size() * reported.size() > MOST_PAIRS;
    for (FileChange said : reported) {
      FileChange now = said.plain();
      List<FileChange> there = shown.getOrDefault(paths.normal(now.path()), List.of());
      if (!(isMany ? changes.contains(now) : there.stream().anyMatch(now::isSameEdit))) {
        ObjectNode both = difference.putObject(CHANGES);
        there.forEach(change -> both.putObject("allowed").put("newText", change.newText()));
        both.putObject("acted").put("path", now.path()).put("newText", now.newText());
        return;
      }
    }
  }
}
