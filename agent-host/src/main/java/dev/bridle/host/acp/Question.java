package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.rpc.RawJson;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** What an agent asks and waits for. */
public sealed interface Question {
  /** The member of an input with what a runtime says of it a second time, and otherwise. */
  String APPROVAL_ARGUMENTS = "approval_args";

  /** The question's parameters as they were spelled. */
  RawJson whole();

  /** The tool call that it is about, empty if none. */
  String toolCallId();

  /** Whether an action may be taken. What is read of it is kept, since it is read many times. */
  final class Permission implements Question {
    /** The most approvals that an action can need. */
    public static final int MOST_APPROVERS = 16;

    private static final int LONGEST_EMPTY = 64;
    private static final Set<String> EMPTY = Set.of("null", "[]", "{}", "\"\"");

    /** The members of a tool call that have a meaning here. */
    private static final Set<String> TOOL_CALL =
        Set.of(
            "kind",
            "title",
            "status",
            "content",
            "locations",
            "rawInput",
            "rawOutput",
            "name",
            "toolName",
            "approvalRequest",
            "mutation",
            "declaredPaths",
            "_meta");

    private static final String APPROVAL_REQUEST = "approvalRequest";

    private final ToolCall toolCall;
    private final Optional<ToolCall> known;
    private final List<Option> options;
    private final RawJson whole;
    private final boolean isComplete;
    private final Once<ToolCall> asked = new Once<>(this::readAsked);
    private final Once<AskedInput> input = new Once<>(this::readInput);
    private final Once<String> toolName = new Once<>(this::readToolName);
    private final Once<HarnMembers> harn = new Once<>(this::readHarn);

    /**
     * Creates a question.
     *
     * @param toolCall the action as the question has it
     * @param known what the agent has said of that tool call otherwise, if anything
     * @param options what may be answered
     * @param isComplete whether the agent has said all that it is known to say before it acts
     */
    public Permission(
        ToolCall toolCall,
        Optional<ToolCall> known,
        List<Option> options,
        RawJson whole,
        boolean isComplete) {
      this.toolCall = toolCall;
      this.known = known;
      this.options = List.copyOf(options);
      this.whole = whole;
      this.isComplete = isComplete;
    }

    /** Returns the action as the question has it. */
    public ToolCall toolCall() {
      return toolCall;
    }

    /** Returns what the agent has said of that tool call otherwise, if anything. */
    public Optional<ToolCall> known() {
      return known;
    }

    /** Returns what may be answered. */
    public List<Option> options() {
      return options;
    }

    @Override
    public RawJson whole() {
      return whole;
    }

    /** Returns whether the agent has said all that it is known to say before it acts. */
    public boolean isComplete() {
      return isComplete;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Permission that
          && isComplete == that.isComplete
          && toolCall.equals(that.toolCall)
          && known.equals(that.known)
          && options.equals(that.options)
          && whole.equals(that.whole);
    }

    @Override
    public int hashCode() {
      return Objects.hash(toolCall, known, options, whole, isComplete);
    }

    @Override
    public String toString() {
      return "Permission[" + whole + "]";
    }

    @Override
    public String toolCallId() {
      return toolCall.id();
    }

    /** Returns the same question, with what the agent has said of the tool call by now. */
    Permission withKnown(ToolCall call) {
      return new Permission(toolCall, Optional.of(call), options, whole, isComplete);
    }

    /** Returns the same question of an agent that was waited for, and has not said the rest. */
    Permission asIncomplete() {
      return new Permission(toolCall, known, options, whole, false);
    }

    /**
     * Returns the tool call that is asked about: what the question says, and of what it leaves out
     * or has empty, what was said otherwise.
     */
    public ToolCall asked() {
      return asked.get();
    }

    private AskedInput readInput() {
      return AskedInput.of(toolCall, known, harn().object(APPROVAL_REQUEST).json("args"));
    }

    private ToolCall readAsked() {
      Map<String, RawJson> members = new LinkedHashMap<>();
      known.ifPresent(call -> members.putAll(call.members()));
      toolCall
          .members()
          .forEach(
              (name, value) -> {
                if (!isEmpty(value) || !members.containsKey(name)) {
                  members.put(name, value);
                }
              });
      return new ToolCall(toolCall.id(), members);
    }

    private static boolean isEmpty(RawJson value) {
      return value.length() <= LONGEST_EMPTY
          && EMPTY.contains(value.toString().replaceAll("\\s", ""));
    }

    /**
     * The input of the action: what the question says, and of what it leaves out (the folder, with
     * some agents) what was said of the tool call otherwise. Runtimes of Harn may say it in the
     * {@code args} of their {@code approvalRequest}; where it also says another input, that is part
     * of it, as {@link #APPROVAL_ARGUMENTS}.
     */
    public JsonNode input() {
      return input.get().whole();
    }

    /**
     * Returns the input that was said of the tool call beside the question; missing if there was
     * none.
     */
    public JsonNode knownInput() {
      return input.get().known();
    }

    /**
     * Returns what the input was said to be otherwise, by the names of the members that the
     * question has with other values; as {@code input} where it was no object, or is none now.
     */
    public ObjectNode otherInput() {
      return input.get().other();
    }

    /** The tool's name where the runtime says it, empty elsewhere: {@code title} is for people. */
    public String toolName() {
      return toolName.get();
    }

    private String readToolName() {
      Members call = Members.of(asked().members());
      return Stream.of(
              call.text("name"),
              call.text("toolName"),
              harn().object(APPROVAL_REQUEST).text("action"))
          .filter(name -> !name.isEmpty())
          .findFirst()
          .orElse("");
    }

    /**
     * Returns the names that agents give the tool in places of their own, such as {@code _meta}.
     */
    public List<String> otherNames() {
      Members meta = Members.of(asked().members()).object("_meta");
      return Stream.of(
              meta.text("toolName"),
              meta.object("claudeCode").text("toolName"),
              Members.of(asked().members()).text("toolName"),
              harn().object(APPROVAL_REQUEST).text("action"))
          .filter(name -> !name.isEmpty() && !name.equals(toolName()))
          .distinct()
          .toList();
    }

    /** What Harn says beside ACP: of the request, and of its tool call. */
    private HarnMembers harn() {
      return harn.get();
    }

    private HarnMembers readHarn() {
      return HarnMembers.of(whole, Members.of(whole).raw("toolCall"));
    }

    /**
     * Whether it is answered by a word instead of by one of its options (the Harn bridge, {@code
     * session/request_permission}).
     */
    public boolean answeredByWord() {
      return options.isEmpty();
    }

    /** Whether an answer may change the arguments. */
    public boolean acceptsModified() {
      return answeredByWord() || Members.of(whole).truth("accepts_modified");
    }

    /**
     * How many approvals the runtime wants, the most that it says anywhere, 1 where it does not
     * say; empty where it wants what can't be had, so that nothing is allowed with less.
     */
    public OptionalInt approversRequired() {
      int most = 1;
      for (RawJson request : harn().all(APPROVAL_REQUEST)) {
        JsonNode wanted = Members.of(request).json("approvers_required");
        if (wanted.isMissingNode() || wanted.isNull()) {
          continue;
        }
        if (!wanted.isInt() || wanted.intValue() < 0 || wanted.intValue() > MOST_APPROVERS) {
          return OptionalInt.empty();
        }
        most = Math.max(most, wanted.intValue());
      }
      return OptionalInt.of(most);
    }

    /** Returns the paths that the runtime declares for the action, if it does. */
    public List<String> declaredPaths() {
      Set<String> paths = new LinkedHashSet<>();
      for (RawJson declared : harn().all("declaredPaths")) {
        for (JsonNode path : declared.jsonIfReadable()) {
          if (path.isTextual()) {
            paths.add(path.textValue());
          }
        }
      }
      return List.copyOf(paths);
    }

    /**
     * What the runtime says beside the action, member by member as it was spelled: {@code
     * approvalRequest}, {@code mutation}, {@code declaredPaths}, {@code _meta}. Whoever answers
     * should see it.
     */
    public ObjectNode circumstances() {
      ObjectNode said = JsonNodeFactory.instance.objectNode();
      for (String name : List.of(APPROVAL_REQUEST, "mutation", "declaredPaths")) {
        put(said, name, harn().raw(name).jsonIfReadable());
      }
      put(said, "_meta", Members.of(whole).json("_meta"));
      put(said, "tool_meta", Members.of(toolCall.members()).json("_meta"));
      Members call = Members.of(toolCall.members());
      toolCall.members().keySet().stream()
          .filter(name -> !TOOL_CALL.contains(name))
          .forEach(name -> put(said, said.has(name) ? "tool_" + name : name, call.json(name)));
      return said;
    }

    private static void put(ObjectNode said, String name, JsonNode value) {
      if (!value.isMissingNode() && !(value.isContainerNode() && value.isEmpty())) {
        said.set(name, value);
      }
    }

    /** Returns the options of a kind, in the agent's order. */
    public List<Option> options(OptionKind kind) {
      return options.stream().filter(option -> option.kind() == kind).toList();
    }

    /**
     * Returns the one option of a kind; empty if there are none or several, or if it is not the
     * only one with its id.
     */
    public Optional<Option> onlyOption(OptionKind kind) {
      List<Option> all = options(kind);
      return all.size() == 1 && isUnique(all.get(0)) ? Optional.of(all.get(0)) : Optional.empty();
    }

    /** Returns whether an option's id names it, and no other one. */
    public boolean isUnique(Option option) {
      return options.stream().filter(other -> other.id().equals(option.id())).count() == 1;
    }
  }

  /**
   * Input of the user, by a form.
   *
   * @param message what is asked for
   * @param schema the form's JSON Schema as it was spelled
   */
  record Form(String toolCallId, String message, RawJson schema, RawJson whole)
      implements Question {}

  /**
   * An answer that an agent offers.
   *
   * @param id what the answer names
   * @param name for people
   */
  record Option(String id, String name, OptionKind kind) {}

  /** What choosing an option means. */
  enum OptionKind {
    /** This action. */
    ALLOW_ONCE,
    /** This and all like it, without asking: answered only where a person names it. */
    ALLOW_ALWAYS,
    /** Not this action. */
    REJECT_ONCE,
    /** Neither this nor others like it. */
    REJECT_ALWAYS,
    /** A kind that this version does not know. */
    UNKNOWN;

    static OptionKind of(String spelled) {
      return switch (spelled) {
        case "allow_once" -> ALLOW_ONCE;
        case "allow_always" -> ALLOW_ALWAYS;
        case "reject_once" -> REJECT_ONCE;
        case "reject_always" -> REJECT_ALWAYS;
        default -> UNKNOWN;
      };
    }
  }
}
