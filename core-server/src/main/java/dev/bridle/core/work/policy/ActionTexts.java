package dev.bridle.core.work.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.core.work.permission.PathReadings;
import dev.bridle.permission.v1.PermissionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * The texts of an action that patterns of approval rules are matched with: all texts of its content
 * and of what the agent says of it, in whatever member, since the agent chooses the members.
 *
 * @param texts the texts, lists of texts as one line, and programs with their arguments as one line
 * @param lists lists of texts, and programs with their arguments
 * @param paths texts that may name a file
 */
record ActionTexts(List<String> texts, List<List<String>> lists, List<String> paths) {
  private static final Pattern LIKE_A_PATH = Pattern.compile("[./\\\\]");
  private static final Set<String> OF_A_PROGRAM = Set.of("command", "cmd", "program", "executable");
  private static final Set<String> OF_ARGUMENTS = Set.of("args", "argv", "arguments");

  /**
   * Returns the texts of an action.
   *
   * @param content its content
   * @param said what the agent says of it
   */
  static ActionTexts of(PermissionAction action, JsonNode content, JsonNode said) {
    ActionTexts found = new ActionTexts(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    found.collect(content);
    found.collect(said);
    found.add(action.getTitle());
    found.paths.addAll(action.getEditedFilesList());
    return new ActionTexts(
        List.copyOf(found.texts), List.copyOf(found.lists), List.copyOf(found.paths));
  }

  private void collect(JsonNode value) {
    if (value.isTextual()) {
      add(value.textValue());
    } else if (value.isArray()) {
      add(textsOf(value));
    } else if (value.isObject()) {
      collectMembers(value);
    }
    value.forEach(this::collect);
  }

  private void collectMembers(JsonNode object) {
    List<String> program = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    object
        .properties()
        .forEach(
            member -> {
              if (OF_A_PROGRAM.contains(member.getKey()) && member.getValue().isTextual()) {
                program.add(member.getValue().textValue());
              } else if (OF_ARGUMENTS.contains(member.getKey())) {
                arguments.addAll(textsOf(member.getValue()));
              }
              if (LIKE_A_PATH.matcher(member.getKey()).find()) {
                addPath(member.getKey()); // Some agents name the files of an edit so.
              }
            });
    if (program.size() == 1 && !arguments.isEmpty()) {
      program.addAll(arguments);
      add(program);
    }
  }

  private static List<String> textsOf(JsonNode value) {
    if (value.isTextual()) {
      return List.of(value.textValue());
    }
    return StreamSupport.stream(value.spliterator(), false)
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .toList();
  }

  private void add(List<String> words) {
    if (!words.isEmpty()) {
      lists.add(List.copyOf(words));
      texts.add(String.join(" ", words));
    }
  }

  private void add(String text) {
    if (!text.isEmpty()) {
      texts.add(text);
      addPath(text);
    }
  }

  private void addPath(String text) {
    paths.addAll(PathReadings.of(text));
  }
}
