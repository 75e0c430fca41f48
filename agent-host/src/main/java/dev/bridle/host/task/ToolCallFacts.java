package dev.bridle.host.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.HarnMembers;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import java.util.Map;
import java.util.Optional;

/** What events say of an agent's tool calls, in the agent's words. */
final class ToolCallFacts {
  private static final int MAX_TEXT = 1000;
  private static final int MAX_MEMBER = 4 << 10;

  /** What Harn's runtimes add to each call, and how events call it. */
  private static final Map<String, String> CALL_MEMBERS = Map.of("audit", "audit");

  /** What they add while the model still writes what the tool is called with. */
  private static final Map<String, String> STREAMED_MEMBERS = Map.of("parsing", "parsing");

  /** Its length alone: like the whole input, it may hold secrets. */
  private static final String PARTIAL_INPUT = "rawInputPartial";

  /** What Harn's runtimes add to calls that have ended, and how events call it. */
  private static final Map<String, String> RESULT_MEMBERS =
      Map.of(
          "error", "error",
          "errorCategory", "error_category",
          "durationMs", "duration_ms",
          "executionDurationMs", "execution_duration_ms",
          "executor", "executor");

  private ToolCallFacts() {}

  /**
   * Returns what a call is, and where it stands.
   *
   * @param isKnown whether somebody allowed it, or the host ran it: nobody knows more of another
   *     one than what the agent says
   */
  static ObjectNode call(ToolCall call, boolean isKnown) {
    ObjectNode facts =
        JsonNodeFactory.instance
            .objectNode()
            .put("tool_call_id", cut(call.id()))
            .put("tool_name", cut(ClaimedEffects.toolName(call)))
            .put("kind", cut(call.kind()))
            .put("title", cut(call.title()))
            .put("status", cut(call.status()));
    add(facts, call, CALL_MEMBERS, MAX_MEMBER);
    if (!call.over()) {
      add(facts, call, STREAMED_MEMBERS, MAX_MEMBER);
      Optional.of(HarnMembers.of(call).raw(PARTIAL_INPUT))
          .filter(RawJson::isPresent)
          .ifPresent(said -> facts.put("raw_input_partial_bytes", said.length()));
    }
    return call.status().equals("completed") && !isKnown ? facts.put("unverified", true) : facts;
  }

  /** Returns the same of a call that has ended; what it gave back is recorded elsewhere. */
  static ObjectNode result(ToolCall call, boolean isKnown) {
    ObjectNode facts = call(call, isKnown);
    add(facts, call, RESULT_MEMBERS, MAX_TEXT);
    return facts;
  }

  /** Adds members as they were spelled; of a longer one its length, and of a text its beginning. */
  private static void add(ObjectNode facts, ToolCall call, Map<String, String> names, int most) {
    HarnMembers extensions = HarnMembers.of(call);
    names.forEach(
        (member, name) ->
            Optional.of(extensions.raw(member))
                .filter(RawJson::isPresent)
                .ifPresent(
                    said ->
                        KeptText.cut(said, most)
                            .ifPresentOrElse(
                                kept -> facts.set(name, kept),
                                () -> facts.put(name + "_bytes", said.length()))));
  }

  private static String cut(String text) {
    return KeptText.of(text, MAX_TEXT);
  }
}
