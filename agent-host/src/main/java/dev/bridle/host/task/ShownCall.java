package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.bridle.host.acp.CallUpdate;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.rpc.RawJson;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A tool call as people were shown it. The same call may repeat an input that was said before, or
 * the shown one without what is incidental; any further member makes it another one, and so do
 * another kind, another name, and a change that was not shown.
 */
final class ShownCall {
  private static final int MOST_INPUTS = 16;
  private static final int MOST_BYTES = 48 << 10;
  private static final String OTHER = "other";
  private static final List<String> COMPARED =
      List.of("rawInput", "content", "locations", "kind", "name", "toolName");

  /** Where an agent may name the tool of a call. */
  static final List<String> NAMES = List.of("name", "toolName");

  /** What tools that edit are told to do by a member that is named like one of a command. */
  private static final Set<String> EDITS =
      Set.of("view", "create", "str_replace", "insert", "undo_edit", "write");

  /** Members that a report may leave out. */
  private static final Set<String> INCIDENTAL =
      Set.of("timeout", "timeout_ms", "is_background", "run_in_background", "description");

  private final RequestTraits traits;
  private final String actionKind;

  /** The kinds and names that were said of the call by the time of the question. */
  private final Set<String> kinds;

  private final Set<String> names;
  private final JsonNode input;

  /** Whether the input is compared: none is that was not shown, or does not say what is done. */
  private final boolean isCompared;

  private final ShownWords words;
  private final ShownChanges changes;
  private final Set<JsonNode> inputs = new LinkedHashSet<>();

  /** The inputs in whose place others were allowed, which stay until the agent says others. */
  private final Set<JsonNode> replaced = new HashSet<>();

  private long bytes;

  /** The hashes of what was compared last, and found to be the same. */
  private String same = "";

  private ShownCall(
      Question.Permission question, AskedAction action, RequestTraits traits, Path folder) {
    InputParts parts = InputParts.of(question, action.kind(), traits);
    this.traits = traits;
    this.actionKind = action.kind();
    this.kinds = new HashSet<>(List.of(question.asked().kind()));
    this.names = new HashSet<>(List.of(question.toolName()));
    NAMES.forEach(member -> names.add(nameOf(question.toolCall(), member)));
    question
        .known()
        .ifPresent(
            call -> {
              kinds.add(call.kind());
              NAMES.forEach(member -> names.add(nameOf(call, member)));
            });
    this.input = parts.bound();
    this.isCompared =
        !input.isMissingNode()
            && (action.notExact().isEmpty() || Exactness.saysInput(question, action.kind(), parts));
    this.words = ShownWords.of(action);
    this.changes = ShownChanges.of(question, action, parts, folder);
    this.bytes = (long) Bounded.bytes(input) + Bounded.bytes(action.content()) + changes.bytes();
  }

  private ShownCall(ShownCall of, JsonNode input) {
    this.traits = of.traits;
    this.actionKind = of.actionKind;
    this.kinds = of.kinds;
    this.names = of.names;
    this.input = input;
    this.isCompared = true;
    this.words = ShownWords.NONE;
    this.changes = of.changes.with(input);
    this.replaced.addAll(of.inputs);
    this.replaced.add(of.input);
    this.bytes = Bounded.bytes(input) + of.bytes;
  }

  /**
   * Returns what a question shows.
   *
   * @param folder the folder that paths are meant from
   */
  static ShownCall of(
      Question.Permission question, AskedAction action, RequestTraits traits, Path folder) {
    ShownCall shown = new ShownCall(question, action, traits, folder);
    shown.add(question.knownInput(), question.toolCallId());
    shown.add(question.toolCall().rawInput().jsonIfReadable(), question.toolCallId());
    return shown;
  }

  /** Has it go on with what was shown of the call before, by another question about it. */
  void follow(ShownCall before) {
    before.inputs.forEach(this::add);
  }

  /** Returns the same call with the arguments that were allowed instead. */
  ShownCall with(JsonNode arguments) {
    return new ShownCall(this, arguments);
  }

  /** Returns about how much memory it takes. */
  long bytes() {
    return bytes;
  }

  /** Notes an input that was said while the call was asked for. */
  void said(ToolCall call) {
    add(call.rawInput().jsonIfReadable(), call.id());
  }

  private void add(JsonNode said, String toolCallId) {
    if (!said.isMissingNode()) {
      add(InputParts.bound(said, toolCallId, actionKind, traits));
    }
  }

  private void add(JsonNode bound) {
    if (inputs.size() < MOST_INPUTS && inputs.add(bound)) {
      bytes += Bounded.bytes(bound);
    }
  }

  /** Returns what a call is otherwise now; empty if it is the same. */
  Optional<ObjectNode> difference(CallUpdate update) {
    ToolCall call = update.call();
    boolean isSaid = update.members().contains("rawInput");
    String now = hashes(call) + isSaid;
    if (now.equals(same)) {
      return Optional.empty();
    }
    ObjectNode difference = JsonNodeFactory.instance.objectNode();
    JsonNode said = call.rawInput().jsonIfReadable();
    JsonNode bound = InputParts.bound(said, call.id(), actionKind, traits);
    if (isSaid || !replaced.contains(bound)) {
      compareInput(bound, difference);
    }
    compareCommands(said, difference);
    compareKind(call, difference);
    NAMES.forEach(member -> compare(member, names, nameOf(call, member), difference));
    changes.compare(call, difference);
    if (difference.isEmpty()) {
      same = now;
      return Optional.empty();
    }
    return Optional.of(Bounded.members(sound(difference), MOST_BYTES));
  }

  /** Returns a difference that the core takes, whatever an agent reports to have it refused. */
  private static ObjectNode sound(ObjectNode difference) {
    ObjectNode sound = JsonNodeFactory.instance.objectNode();
    difference
        .properties()
        .forEach(
            member -> {
              String name = member.getKey();
              ObjectNode both = sound.putObject(KeptText.of(name, name.length()));
              member
                  .getValue()
                  .properties()
                  .forEach(side -> both.set(side.getKey(), KeptText.sound(side.getValue())));
            });
    return sound;
  }

  private static String hashes(ToolCall call) {
    StringBuilder hashes = new StringBuilder();
    for (String member : COMPARED) {
      RawJson said = call.members().getOrDefault(member, RawJson.absent());
      hashes.append(Sha256.hex(said.bytes()));
    }
    return hashes.toString();
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

  /** Where the input is not compared, its commands are: those that nobody was shown. */
  private void compareCommands(JsonNode now, ObjectNode difference) {
    if (isCompared) {
      return;
    }
    boolean isCommand = actionKind.equals(AskedAction.COMMAND);
    Set<List<String>> shown = new HashSet<>(InputCommands.of(input, isCommand));
    inputs.forEach(before -> shown.addAll(InputCommands.of(before, isCommand)));
    InputCommands.of(now, isCommand).stream()
        .filter(command -> !shown.contains(command))
        .map(command -> String.join(" ", command))
        .filter(command -> !words.have(command) && (isCommand || !EDITS.contains(command)))
        .findFirst()
        .ifPresent(
            command ->
                put(difference, "command", MissingNode.getInstance(), TextNode.valueOf(command)));
  }

  /** A kind that acts is one, also if none was said before; {@code other} says nothing. */
  private void compareKind(ToolCall call, ObjectNode difference) {
    boolean isSaid = kinds.stream().anyMatch(one -> !one.isEmpty() && !one.equals(OTHER));
    if (call.acts() && !kinds.contains(call.kind())) {
      put(difference, "kind", kinds, call.kind());
    } else if (!call.kind().equals(OTHER) && (isSaid || !call.onlyReads())) {
      compare("kind", kinds, call.kind(), difference);
    }
  }

  /** What was not said at all by the time of the question is not another one. */
  private static void compare(
      String member, Set<String> allowed, String acted, ObjectNode difference) {
    boolean isSaid = allowed.stream().anyMatch(one -> !one.isEmpty());
    if (isSaid && !acted.isEmpty() && !allowed.contains(acted)) {
      put(difference, member, allowed, acted);
    }
  }

  private static void put(ObjectNode difference, String member, Set<String> allowed, String acted) {
    String said =
        allowed.stream().filter(one -> !one.isEmpty()).sorted().collect(Collectors.joining(", "));
    difference.putObject(member).put("allowed", said).put("acted", acted);
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

  /** Returns the name of a call's tool, if none was said when it was asked for. */
  Optional<String> firstName(ToolCall call) {
    return names.stream().allMatch(String::isEmpty)
        ? NAMES.stream()
            .map(member -> nameOf(call, member))
            .filter(name -> !name.isEmpty())
            .findFirst()
        : Optional.empty();
  }

  static String nameOf(ToolCall call, String member) {
    JsonNode name = call.members().getOrDefault(member, RawJson.absent()).jsonIfReadable();
    return name.isTextual() ? name.textValue() : "";
  }
}
