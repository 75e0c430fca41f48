package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.rpc.RawJson;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What an agent asks and waits for. */
public sealed interface Question {
  /** The member of an input with what a runtime says of it a second time, and otherwise. */
  String APPROVAL_ARGUMENTS = "approval_args";

  /** The question's parameters as they were spelled. */
  RawJson whole();

  /** The tool call that it is about, empty if none. */
  String toolCallId();

  /**
   * Whether an action may be taken.
   *
   * @param toolCall the action as the question has it, which is what is allowed
   * @param known what the agent had said of that tool call before, if anything
   * @param options what may be answered
   */
  record Permission(
      ToolCall toolCall, Optional<ToolCall> known, List<Option> options, RawJson whole)
      implements Question {
    /** The most approvals that an action can need. */
    public static final int MOST_APPROVERS = 16;

    /** Copies. */
    public Permission {
      options = List.copyOf(options);
    }

    @Override
    public String toolCallId() {
      return toolCall.id();
    }

    /**
     * The input of the action: what the question says, and of what it leaves out (the folder, with
     * some agents) what the tool call said before. Runtimes of Harn may say it in the {@code args}
     * of their {@code approvalRequest}; where it also says another input, that is part of it, as
     * {@link #APPROVAL_ARGUMENTS}.
     */
    public JsonNode input() {
      JsonNode asked = Members.of(toolCall.members()).json("rawInput");
      JsonNode approval = Members.of(whole).object("approvalRequest").json("args");
      if (approval.isMissingNode() || approval.equals(asked)) {
        return merged(asked);
      }
      if (asked.isMissingNode()) {
        return merged(approval);
      }
      ObjectNode both = JsonNodeFactory.instance.objectNode();
      JsonNode input = merged(asked);
      if (input.isObject()) {
        both.setAll((ObjectNode) input);
      } else {
        both.set("input", input);
      }
      return both.set(APPROVAL_ARGUMENTS, approval);
    }

    private JsonNode merged(JsonNode asked) {
      JsonNode before =
          known.map(call -> Members.of(call.members()).json("rawInput")).orElse(asked);
      if (!before.isObject() || !(asked.isObject() || asked.isMissingNode())) {
        return asked.isMissingNode() ? before : asked;
      }
      ObjectNode merged = JsonNodeFactory.instance.objectNode();
      merged.setAll((ObjectNode) before);
      if (asked.isObject()) {
        merged.setAll((ObjectNode) asked);
      }
      return merged;
    }

    /** The tool's name where the runtime says it, empty elsewhere: {@code title} is for people. */
    public String toolName() {
      String named = Members.of(toolCall.members()).text("toolName");
      return named.isEmpty() ? Members.of(whole).object("approvalRequest").text("action") : named;
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
     * How many approvals the runtime wants, 1 where it does not say; empty where it wants what
     * can't be had, so that nothing is allowed with less.
     */
    public OptionalInt approversRequired() {
      JsonNode wanted = Members.of(whole).object("approvalRequest").json("approvers_required");
      if (wanted.isMissingNode() || wanted.isNull()) {
        return OptionalInt.of(1);
      }
      return wanted.isInt() && wanted.intValue() >= 0 && wanted.intValue() <= MOST_APPROVERS
          ? OptionalInt.of(Math.max(1, wanted.intValue()))
          : OptionalInt.empty();
    }

    /**
     * What the runtime says beside the action, member by member as it was spelled: {@code
     * approvalRequest}, {@code mutation}, {@code declaredPaths}. Whoever answers should see it.
     */
    public ObjectNode circumstances() {
      Members all = Members.of(whole);
      ObjectNode said = JsonNodeFactory.instance.objectNode();
      for (String name : List.of("approvalRequest", "mutation", "declaredPaths")) {
        JsonNode value = all.json(name);
        if (!value.isMissingNode()) {
          said.set(name, value);
        }
      }
      return said;
    }

    /** The first option of a kind. */
    public Optional<Option> option(OptionKind kind) {
      return options.stream().filter(option -> option.kind() == kind).findFirst();
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
    /** This and all like it, without asking: hosts do not choose that. */
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
