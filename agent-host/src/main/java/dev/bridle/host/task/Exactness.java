package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.BadJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether an agent says exactly what it will do: of a command the command, of an edit what changes,
 * of other calls the input.
 */
final class Exactness {
  private Exactness() {}

  /** Returns why it is not known exactly what will be done, as a sentence; empty if it is. */
  static Optional<String> lacking(Question.Permission question, String kind, InputParts parts) {
    if (!isReadable(question)) {
      return Optional.of("The agent's input for this action can't be read.");
    }
    if (!parts.other().isEmpty()) {
      return Optional.of(
          "The agent has said two different inputs for this action, which differ in: "
              + KeptText.of(String.join(", ", fieldNames(parts.other())), 500)
              + ".");
    }
    if (!question.isComplete()) {
      return Optional.of("The agent has not said all of its input for this action.");
    }
    if (!UnreadParts.of(question.asked()).isEmpty()) {
      return Optional.of("The agent says of this action what this version can't read.");
    }
    Optional<String> contradiction = contradiction(question);
    if (contradiction.isPresent()) {
      return contradiction;
    }
    return lackingInput(question, kind, parts);
  }

  /**
   * Returns whether the input of a call says what it does, also where it is not known exactly for
   * something else that the agent says.
   */
  static boolean saysInput(Question.Permission question, String kind, InputParts parts) {
    boolean saysMore = kind.equals("edit") ? parts.saysMoreThanPlaces() : !parts.isEmpty();
    return isReadable(question)
        && question.isComplete()
        && saysMore
        && lackingInput(question, kind, parts).isEmpty();
  }

  private static Optional<String> lackingInput(
      Question.Permission question, String kind, InputParts parts) {
    return switch (kind) {
      case AskedAction.COMMAND ->
          hasCommand(parts.bound())
              ? Optional.empty()
              : Optional.of("The agent does not say exactly which command runs.");
      case "edit" ->
          !FileChange.of(question.asked()).isEmpty() || parts.saysMoreThanPlaces()
              ? Optional.empty()
              : Optional.of("The agent does not say exactly what it changes.");
      case "delete", "move" ->
          parts.isEmpty()
              ? Optional.of("The agent does not say exactly what it " + verb(kind) + ".")
              : Optional.empty();
      default ->
          !parts.isEmpty() || isNamedWithoutInput(question, parts)
              ? Optional.empty()
              : Optional.of("The agent does not say what it calls the tool with.");
    };
  }

  /** An agent that has said another kind, name or change before may mean either. */
  private static Optional<String> contradiction(Question.Permission question) {
    if (question.known().isEmpty()) {
      return Optional.empty();
    }
    ToolCall before = question.known().get();
    ToolCall asked = question.asked();
    if (!before.kind().isEmpty() && !before.kind().equals(asked.kind())) {
      return Optional.of(
          "The agent has said two kinds of this action: "
              + KeptText.of(before.kind() + ", " + asked.kind(), 200)
              + ".");
    }
    for (String member : ShownCall.NAMES) {
      String name = ShownCall.nameOf(before, member);
      String now = ShownCall.nameOf(asked, member);
      if (!name.isEmpty() && !now.isEmpty() && !name.equals(now)) {
        return Optional.of(
            "The agent has said two names of this action's tool: "
                + KeptText.of(name + ", " + now, 500)
                + ".");
      }
    }
    List<FileChange> shown = FileChange.of(asked).stream().map(FileChange::plain).toList();
    for (FileChange change : FileChange.of(before)) {
      if (!shown.contains(change.plain())) {
        return Optional.of(
            "The agent has said another change before than it asks for: "
                + KeptText.of(change.path(), 500)
                + ".");
      }
    }
    return Optional.empty();
  }

  private static String verb(String kind) {
    return kind.equals("delete") ? "deletes" : "moves";
  }

  private static List<String> fieldNames(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static boolean isReadable(Question.Permission question) {
    return isReadable(question.toolCall())
        && question.known().map(Exactness::isReadable).orElse(true);
  }

  private static boolean isReadable(ToolCall call) {
    try {
      var unused = call.rawInput().json();
      return true;
    } catch (BadJson e) {
      return false;
    }
  }

  private static boolean hasCommand(JsonNode input) {
    JsonNode command = input.path("command");
    if (command.isTextual()) {
      return !command.textValue().isBlank();
    }
    boolean isList = command.isArray() && !command.isEmpty();
    for (JsonNode word : command) {
      isList &= word.isTextual();
    }
    return isList;
  }

  /** A tool that takes nothing is called with an empty input. */
  private static boolean isNamedWithoutInput(Question.Permission question, InputParts parts) {
    return parts.bound().isObject() && parts.bound().isEmpty() && !question.toolName().isEmpty();
  }
}
