package dev.bridle.core.work.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.permission.v1.PermissionAction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The texts of an action that patterns of approval rules are matched with: all texts of its
 * content, in whatever member, since the agent chooses the members.
 *
 * @param paths the names of the paths of files, and of the texts that may name one
 * @param commands the texts, and lists of texts as one line
 * @param command the command, where the action is a command and nothing else
 */
record ActionTexts(List<List<String>> paths, List<String> commands, Optional<String> command) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MAX_PATH = 4096;
  private static final String COMMAND = "command";
  private static final Set<String> OF_A_COMMAND = Set.of(COMMAND, "cwd");

  static ActionTexts of(PermissionAction action) {
    JsonNode content = parse(action);
    List<String> texts = new ArrayList<>();
    collect(content, texts);
    List<String> paths =
        texts.stream()
            .filter(text -> text.length() <= MAX_PATH && text.indexOf('\n') < 0)
            .collect(Collectors.toCollection(ArrayList::new));
    paths.addAll(action.getEditedFilesList());
    return new ActionTexts(
        paths.stream().map(ActionPattern::names).toList(),
        texts.stream().map(ActionPattern::command).toList(),
        action.getKind().equals(COMMAND) ? onlyCommand(content) : Optional.empty());
  }

  private static void collect(JsonNode value, List<String> texts) {
    if (value.isTextual()) {
      texts.add(value.textValue());
      return;
    }
    if (value.isArray() && !value.isEmpty()) {
      texts.add(
          StreamSupport.stream(value.spliterator(), false)
              .filter(JsonNode::isTextual)
              .map(JsonNode::textValue)
              .collect(Collectors.joining(" ")));
    }
    value.forEach(inside -> collect(inside, texts));
  }

  /** Other members, such as an environment, may change what a command does. */
  private static Optional<String> onlyCommand(JsonNode content) {
    JsonNode command = content.path(COMMAND);
    boolean alone =
        content.properties().stream().allMatch(member -> OF_A_COMMAND.contains(member.getKey()));
    return alone && command.isTextual() ? Optional.of(command.textValue()) : Optional.empty();
  }

  private static JsonNode parse(PermissionAction action) {
    try {
      return MAPPER.readTree(action.getContent().toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }
}
