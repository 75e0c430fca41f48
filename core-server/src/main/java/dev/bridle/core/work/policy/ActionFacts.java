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
 * texts, and the commands in them. Each is found once for all rules, and only if one needs it. Not
 * thread-safe.
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

  /** More than a hundred rules of ten patterns take for an action of a hundred texts. */
  private static final long MOST_STEPS = 4_000_000;

  private final PermissionAction action;
  private final MatchSteps steps = new MatchSteps(MOST_STEPS);
  private final Once<JsonNode> content;
  private final Once<JsonNode> said;
  private final Once<ActionTexts> texts;
  private final Once<Set<String>> kinds = new Once<>(this::findKinds);
  private final Once<Set<String>> tools = new Once<>(this::findTools);
  private final Once<Optional<String>> exactCommand = new Once<>(this::findExactCommand);
  private final Once<List<File>> files = new Once<>(this::findFiles);
  private final Once<List<Line>> lines = new Once<>(this::findLines);
  private final Once<Invocations> invocations = new Once<>(this::findInvocations);

  ActionFacts(PermissionAction action) {
    this.action = action;
    this.content = new Once<>(() -> parse(action.getContent()));
    this.said = new Once<>(() -> parse(action.getSaid()));
    this.texts = new Once<>(() -> ActionTexts.of(action, content.get(), said.get()));
  }

  /** Returns the kind that the agent says, and those that its content shows. */
  Set<String> kinds() {
    return kinds.get();
  }

  /**
   * Returns the names of the tool, and the kind, which stands for the tool of an agent that names
   * none.
   */
  Set<String> tools() {
    return tools.get();
  }

  /**
   * Returns the command, where the action is known exactly, and is a command and nothing else.
   * Other members, such as an environment, may change what a command does.
   */
  Optional<String> exactCommand() {
    return exactCommand.get();
  }

  /** Returns the first path that a pattern of files matches. */
  Optional<String> fileOf(String pattern) {
    List<String> names = ActionPattern.path(pattern);
    return files.get().stream()
        .filter(file -> ActionPattern.matchesPath(names, file.names(), steps))
        .map(File::path)
        .findFirst();
  }

  /** Returns the first text that a pattern of commands matches. */
  Optional<String> textOf(String pattern) {
    return lines.get().stream()
        .filter(line -> ActionPattern.matchesCommand(pattern, line.folded(), steps))
        .map(Line::text)
        .findFirst();
  }

  /** Returns the first command that invokes a program with its subcommands, as one line. */
  Optional<String> invocationOf(InvocationPattern pattern) {
    return invocations.get().find(pattern);
  }

  private Set<String> findKinds() {
    return ActionKinds.of(action, content.get());
  }

  private Set<String> findTools() {
    Set<String> names = new LinkedHashSet<>();
    names.add(action.getTool());
    names.add(action.getKind());
    names.add(said.get().path("name").asText());
    said.get().path("names").forEach(name -> names.add(name.asText()));
    names.remove("");
    return names;
  }

  private Optional<String> findExactCommand() {
    JsonNode command = content.get().path(COMMAND);
    boolean isAlone =
        content.get().properties().stream()
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

  private List<File> findFiles() {
    return texts.get().paths().stream()
        .map(path -> new File(path, ActionPattern.names(path)))
        .toList();
  }

  private List<Line> findLines() {
    return texts.get().texts().stream()
        .map(text -> new Line(text, ActionPattern.command(text)))
        .toList();
  }

  private Invocations findInvocations() {
    return new Invocations(texts.get().texts(), texts.get().lists());
  }

  private static JsonNode parse(ByteString json) {
    try {
      return json.isEmpty() ? MAPPER.createObjectNode() : MAPPER.readTree(json.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked can't be read", e);
    }
  }
}
