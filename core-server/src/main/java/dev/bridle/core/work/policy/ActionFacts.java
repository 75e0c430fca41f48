package dev.bridle.core.work.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import dev.bridle.core.work.policy.invocation.InvocationPattern;
import dev.bridle.core.work.policy.invocation.Invocations;
import dev.bridle.permission.v1.PermissionAction;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What members of approval rules are matched with: an action's kinds, the names of its tool, its
 * texts, and the commands in them. Each is found once for all rules, and only if one needs it.
 */
final class ActionFacts {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String COMMAND = "command";
  private static final String FOLDER = "cwd";

  /** Put beside the folder by a host that assumes it; it changes nothing that is done. */
  private static final String FOLDER_ASSUMED = "cwd_assumed";

  /** A file, as patterns see it. */
  private record File(String path, List<String> names) {}

  /** A text, as patterns of commands see it. */
  private record Line(String text, String folded) {}

  private final PermissionAction action;
  private final JsonNode content;
  private final JsonNode said;
  private final ActionTexts texts;
  private Optional<List<File>> files = Optional.empty();
  private Optional<List<Line>> lines = Optional.empty();
  private Optional<Invocations> invocations = Optional.empty();

  ActionFacts(PermissionAction action) {
    this.action = action;
    this.content = parse(action.getContent());
    this.said = parse(action.getSaid());
    this.texts = ActionTexts.of(action, content, said);
  }

  /** Returns the kind that the agent says, and those that its content shows. */
  Set<String> kinds() {
    return ActionKinds.of(action, content);
  }

  /**
   * Returns the names of the tool, and the kind, which stands for the tool of an agent that names
   * none.
   */
  Set<String> tools() {
    Set<String> names = new LinkedHashSet<>();
    names.add(action.getTool());
    names.add(action.getKind());
    names.add(said.path("name").asText());
    said.path("names").forEach(name -> names.add(name.asText()));
    names.remove("");
    return names;
  }

  /**
   * Returns the command, where the action is known exactly, and is a command and nothing else.
   * Other members, such as an environment, may change what a command does.
   */
  Optional<String> exactCommand() {
    JsonNode command = content.path(COMMAND);
    boolean isAlone =
        content.properties().stream()
            .allMatch(
                member ->
                    member.getKey().equals(COMMAND)
                        || member.getKey().equals(FOLDER)
                        || (member.getKey().equals(FOLDER_ASSUMED)
                            && member.getValue().isBoolean()));
    return isAlone
            && !action.hasNotExact()
            && action.getKind().equals(COMMAND)
            && command.isTextual()
        ? Optional.of(command.textValue())
        : Optional.empty();
  }

  /** Returns the first path that a pattern of files matches. */
  Optional<String> fileOf(String pattern) {
    List<File> all =
        files.orElseGet(
            () ->
                texts.paths().stream()
                    .map(path -> new File(path, ActionPattern.names(path)))
                    .toList());
    files = Optional.of(all);
    return all.stream()
        .filter(file -> ActionPattern.matchesPath(pattern, file.names()))
        .map(File::path)
        .findFirst();
  }

  /** Returns the first text that a pattern of commands matches. */
  Optional<String> textOf(String pattern) {
    List<Line> all =
        lines.orElseGet(
            () ->
                texts.texts().stream()
                    .map(text -> new Line(text, ActionPattern.command(text)))
                    .toList());
    lines = Optional.of(all);
    return all.stream()
        .filter(line -> ActionPattern.matchesCommand(pattern, line.folded()))
        .map(Line::text)
        .findFirst();
  }

  /** Returns the first command that invokes a program with its subcommands, as one line. */
  Optional<String> invocationOf(String pattern) {
    Invocations all = invocations.orElseGet(() -> new Invocations(texts.texts(), texts.lists()));
    invocations = Optional.of(all);
    return all.find(InvocationPattern.of(pattern));
  }

  private static JsonNode parse(ByteString json) {
    try {
      return json.isEmpty() ? MAPPER.createObjectNode() : MAPPER.readTree(json.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }
}
