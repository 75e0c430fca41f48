package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.host.rpc.RawJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A tool call as people were shown it. The same call may repeat an input that was said before, or
 * the shown one without what is incidental; any further member makes it another one, and so do
 * another kind, another name, and a change that was not shown.
 */
final class ShownCall {
  private static final int MOST_INPUTS = 16;
  private static final int MOST_BYTES = 48 << 10;
  private static final Set<String> CHANGING = Set.of("edit", "delete", "move");

  /** Members that a report may leave out. */
  private static final Set<String> INCIDENTAL =
      Set.of("timeout", "timeout_ms", "is_background", "run_in_background", "description");

  private final RequestTraits traits;
  private final String actionKind;

  /** The kinds and names that were said of the call by the time of the question. */
  private final Set<String> kinds;

  private final Set<String> names;
  private final JsonNode input;
  private final boolean isCompared;
  private final Words words;
  private final ShownPaths paths;

  /** What was shown to change, where nothing else says it. */
  private final List<FileChange> changes;

  private final Set<JsonNode> inputs = new LinkedHashSet<>();

  /** What was compared last, and found to be the same. */
  private List<RawJson> same = List.of();

  /** All that was shown of an action of which it is not known exactly what will be done. */
  private record Words(List<String> texts) {
    static Words of(AskedAction action) {
      List<String> texts = new ArrayList<>();
      if (action.notExact().isPresent()) {
        collect(action.content(), texts);
        collect(action.said(), texts);
      }
      return new Words(texts);
    }

    private static void collect(JsonNode value, List<String> texts) {
      if (value.isTextual()) {
        texts.add(value.textValue());
      }
      value.forEach(inside -> collect(inside, texts));
    }

    /** Returns whether a text stands there by itself: more of its line may only be in brackets. */
    boolean have(String text) {
      Pattern whole =
          Pattern.compile("(?<![^\\n`\"'])" + Pattern.quote(text) + "(?=$|[\\n`\"']|\\s+[\\[(])");
      return texts.stream().anyMatch(shown -> whole.matcher(shown).find());
    }

    boolean isEmpty() {
      return texts.isEmpty();
    }
  }

  private ShownCall(
      RequestTraits traits,
      AskedAction action,
      Question.Permission question,
      JsonNode input,
      boolean isCompared,
      ShownPaths paths) {
    this.words = Words.of(action);
    this.changes =
        InputParts.of(question, action.kind(), traits).saysMoreThanPlaces()
            ? List.of()
            : FileChange.of(question.asked());
    this.traits = traits;
    this.actionKind = action.kind();
    this.kinds = new HashSet<>(List.of(question.asked().kind()));
    question.known().ifPresent(call -> kinds.add(call.kind()));
    this.names = new HashSet<>(List.of(question.toolName()));
    question.known().ifPresent(call -> names.add(nameOf(call)));
    this.input = InputParts.bound(input, question.toolCallId(), actionKind, traits);
    this.isCompared = isCompared;
    this.paths = paths;
  }

  private ShownCall(ShownCall of, JsonNode input) {
    this.traits = of.traits;
    this.actionKind = of.actionKind;
    this.kinds = of.kinds;
    this.names = of.names;
    this.input = input;
    this.isCompared = true;
    this.words = new Words(List.of());
    this.changes = List.of();
    this.paths = of.paths.with(input);
  }

  /**
   * Returns what a question shows.
   *
   * @param folder the folder that paths are meant from
   * @param before what was shown of the call before, by another question about it
   */
  static ShownCall of(
      Question.Permission question,
      AskedAction action,
      RequestTraits traits,
      Path folder,
      Optional<ShownCall> before) {
    JsonNode input = question.input();
    // Of an action that is not known exactly, no input was shown that could be another one.
    boolean isCompared = action.notExact().isEmpty() && !input.isMissingNode();
    ShownCall shown =
        new ShownCall(traits, action, question, input, isCompared, ShownPaths.of(action, folder));
    before.ifPresent(earlier -> shown.inputs.addAll(earlier.inputs));
    shown.add(question.knownInput(), question.toolCallId());
    shown.add(read(question.toolCall().rawInput()), question.toolCallId());
    return shown;
  }

  /** Returns the same call with the arguments that were allowed instead. */
  ShownCall with(JsonNode arguments) {
    return new ShownCall(this, arguments);
  }

  /** Returns about how much memory it takes. */
  long bytes() {
    return Bounded.bytes(input) + inputs.stream().mapToLong(Bounded::bytes).sum() + 1024;
  }

  /** Notes an input that was said while the call was asked for. */
  void said(ToolCall call) {
    add(read(call.rawInput()), call.id());
  }

  private void add(JsonNode said, String toolCallId) {
    if (!said.isMissingNode() && inputs.size() < MOST_INPUTS) {
      inputs.add(InputParts.bound(said, toolCallId, actionKind, traits));
    }
  }

  /** Returns what a call is otherwise now; empty if it is the same. */
  Optional<ObjectNode> difference(ToolCall call) {
    List<RawJson> now =
        List.of(
            call.rawInput(),
            RawJson.of(call.content()),
            RawJson.of(call.locations()),
            RawJson.of(JsonNodeFactory.instance.textNode(call.kind() + "\n" + nameOf(call))));
    if (now.equals(same)) {
      return Optional.empty();
    }
    ObjectNode difference = JsonNodeFactory.instance.objectNode();
    compareInput(
        InputParts.bound(read(call.rawInput()), call.id(), actionKind, traits), difference);
    compareCommand(read(call.rawInput()), difference);
    compareKind(call, difference);
    compare("name", names, nameOf(call), difference);
    comparePaths(call, difference);
    compareChanges(call, difference);
    if (difference.isEmpty()) {
      same = now;
      return Optional.empty();
    }
    return Optional.of(bounded(difference));
  }

  private void compareInput(JsonNode now, ObjectNode difference) {
    if (!isCompared || isSilent(now) || inputs.contains(now) || now.equals(input)) {
      return;
    }
    if (!now.isObject() || !input.isObject()) {
      put(difference, "rawInput", input, now);
      return;
    }
    now.properties()
        .forEach(
            member -> {
              JsonNode allowed = input.path(member.getKey());
              if (!allowed.equals(member.getValue())) {
                put(difference, member.getKey(), allowed, member.getValue());
              }
            });
    input
        .properties()
        .forEach(
            member -> {
              if (!INCIDENTAL.contains(member.getKey()) && !now.has(member.getKey())) {
                put(difference, member.getKey(), member.getValue(), MissingNode.getInstance());
              }
            });
  }

  private static boolean isSilent(JsonNode input) {
    return input.isMissingNode() || input.isNull() || (input.isObject() && input.isEmpty());
  }

  /** Of a command that was shown in the agent's words, these have to have it. */
  private void compareCommand(JsonNode now, ObjectNode difference) {
    JsonNode command = now.path("command");
    if (words.isEmpty() || !actionKind.equals(AskedAction.COMMAND) || command.isMissingNode()) {
      return;
    }
    List<String> said = new ArrayList<>();
    command.forEach(word -> said.add(word.asText()));
    if (!words.have(said.isEmpty() ? command.asText() : String.join(" ", said))) {
      put(difference, "command", MissingNode.getInstance(), command);
    }
  }

  /** A kind that acts is one, also if none was said before. */
  private void compareKind(ToolCall call, ObjectNode difference) {
    if (call.acts() && !kinds.contains(call.kind())) {
      List<String> said = kinds.stream().filter(one -> !one.isEmpty()).sorted().toList();
      difference
          .putObject("kind")
          .put("allowed", String.join(", ", said))
          .put("acted", call.kind());
    } else {
      compare("kind", kinds, call.kind(), difference);
    }
  }

  /** What was not said at all by the time of the question is not another one. */
  private static void compare(
      String member, Set<String> allowed, String acted, ObjectNode difference) {
    List<String> said = allowed.stream().filter(one -> !one.isEmpty()).sorted().toList();
    if (!said.isEmpty() && !acted.isEmpty() && !said.contains(acted)) {
      difference.putObject(member).put("allowed", String.join(", ", said)).put("acted", acted);
    }
  }

  static String nameOf(ToolCall call) {
    JsonNode name = read(call.members().getOrDefault("name", RawJson.absent()));
    return name.isTextual() ? name.textValue() : "";
  }

  private void comparePaths(ToolCall call, ObjectNode difference) {
    if (actionKind.equals(AskedAction.COMMAND)) {
      return; // What a command has changed is its result.
    }
    Set<String> others = new LinkedHashSet<>();
    FileChange.of(call).forEach(change -> others.add(change.path()));
    if (CHANGING.contains(actionKind)) {
      call.locations().forEach(place -> others.add(place.path("path").asText()));
    }
    others.removeIf(path -> path.isEmpty() || paths.has(path));
    if (!others.isEmpty()) {
      others.forEach(difference.putObject("changes").putArray("acted")::add);
    }
  }

  /** Where only the changes say what is done, others are another action. */
  private void compareChanges(ToolCall call, ObjectNode difference) {
    if (changes.isEmpty() || difference.has("changes")) {
      return;
    }
    for (FileChange now : FileChange.of(call)) {
      List<FileChange> shown =
          changes.stream().filter(change -> paths.same(change.path(), now.path())).toList();
      if (shown.stream().noneMatch(now::isSameEdit)) {
        ObjectNode both = difference.putObject("changes");
        shown.forEach(change -> both.putObject("allowed").put("newText", change.after()));
        both.putObject("acted").put("path", now.path()).put("newText", now.after());
        return;
      }
    }
  }

  private static void put(ObjectNode difference, String member, JsonNode allowed, JsonNode acted) {
    ObjectNode both = difference.putObject(member);
    if (!allowed.isMissingNode()) {
      both.set("allowed", allowed);
    }
    if (!acted.isMissingNode()) {
      both.set("acted", acted);
    }
  }

  private static ObjectNode bounded(ObjectNode difference) {
    for (int most = MOST_BYTES / 4; most > 0 && Bounded.bytes(difference) > MOST_BYTES; most /= 4) {
      int bytes = most;
      difference
          .properties()
          .forEach(member -> member.setValue(Bounded.whole(member.getValue(), bytes)));
    }
    if (Bounded.bytes(difference) <= MOST_BYTES) {
      return difference;
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.set("all", Bounded.whole(difference, 0));
    return all;
  }

  private static JsonNode read(RawJson raw) {
    try {
      return raw.json();
    } catch (BadJson e) {
      return MissingNode.getInstance();
    }
  }
}
