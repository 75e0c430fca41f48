package dev.bridle.host.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.ToolCall;
import java.util.Map;
import java.util.Optional;

/** What events say of an agent's tool calls, in the agent's words. */
final class ToolCallFacts {
  private static final int MAX_TEXT = 1000;

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
    return call.status().equals("completed") && !isKnown ? facts.put("unverified", true) : facts;
  }

  /** Returns the same of a call that has ended; what it gave back is recorded elsewhere. */
  static ObjectNode result(ToolCall call, boolean isKnown) {
    ObjectNode facts = call(call, isKnown);
    add(facts, call, RESULT_MEMBERS, MAX_TEXT);
    return facts;
  }

  private static void add(ObjectNode facts, ToolCall call, Map<String, String> names, int most) {
    names.forEach(
        (member, name) ->
            Optional.ofNullable(call.members().get(member))
                .flatMap(said -> KeptText.json(said, most))
                .ifPresent(said -> facts.set(name, said)));
  }

  private static String cut(String text) {
    return KeptText.of(text, MAX_TEXT);
  }
}
