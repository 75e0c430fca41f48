package dev.bridle.core.work.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.permission.v1.PermissionAction;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * The kinds that an action is of: the one that the agent says, {@code command} if its content has a
 * command, and {@code edit} if it has changes of files. Arguments that an answer may replace stand
 * in a member of the content, and count as well.
 */
final class ActionKinds {
  private static final String COMMAND = "command";
  private static final String EDIT = "edit";
  private static final String ARGUMENTS = "arguments";
  private static final Set<String> OF_COMMANDS = Set.of(COMMAND, "cmd");
  private static final Set<String> OF_EDITS =
      Set.of(
          "changes",
          "shown_changes",
          "diff",
          "diffs",
          "patch",
          "edits",
          "new_string",
          "newString",
          "new_str",
          "newText",
          "new_text",
          "old_string",
          "oldString",
          "old_str",
          "oldText",
          "old_text");

  private ActionKinds() {}

  /** Returns the kinds of an action with a content. */
  static Set<String> of(PermissionAction action, JsonNode content) {
    Set<String> kinds = new LinkedHashSet<>();
    kinds.add(action.getKind());
    JsonNode arguments = content.path(ARGUMENTS);
    if (hasCommand(content) || hasCommand(arguments)) {
      kinds.add(COMMAND);
    }
    if (action.getEditedFilesCount() > 0 || hasChanges(content) || hasChanges(arguments)) {
      kinds.add(EDIT);
    }
    return kinds;
  }

  private static boolean hasCommand(JsonNode object) {
    return OF_COMMANDS.stream().map(object::path).anyMatch(ActionKinds::isTextOrTexts);
  }

  private static boolean isTextOrTexts(JsonNode value) {
    return value.isTextual()
        || (value.isArray()
            && !value.isEmpty()
            && StreamSupport.stream(value.spliterator(), false).allMatch(JsonNode::isTextual));
  }

  private static boolean hasChanges(JsonNode object) {
    return OF_EDITS.stream()
        .map(object::path)
        .anyMatch(value -> value.isTextual() || !value.isEmpty());
  }
}
