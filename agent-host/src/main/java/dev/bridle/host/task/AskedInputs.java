package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.host.rpc.RawJson;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * With what input the tool calls of a turn were asked for, the latest 200 of them, so that one
 * which then goes on with another input is noticed. Thread-safe.
 */
final class AskedInputs {
  private static final int MOST = 200;

  /** What an agent says about an action, and may say otherwise later. */
  private static final String DESCRIPTION = "description";

  private final Map<String, Asked> inputs = new LinkedHashMap<>();

  /**
   * A tool call that was asked for.
   *
   * @param input what was asked for
   * @param compared the input that was last found to be the same
   */
  private record Asked(JsonNode input, RawJson compared) {}

  synchronized void asked(Question.Permission question) {
    put(question.toolCallId(), question.input());
  }

  /** Somebody has allowed the call with another input. */
  synchronized void put(String toolCallId, JsonNode input) {
    inputs.remove(toolCallId);
    Iterator<String> oldest = inputs.keySet().iterator();
    while (inputs.size() >= MOST) {
      oldest.next();
      oldest.remove();
    }
    inputs.put(toolCallId, new Asked(input, RawJson.absent()));
  }

  /**
   * Returns whether a call's input is now another one than what was asked for, once. Members that
   * were not asked for are none of these: some agents ask with other members than they call with.
   */
  synchronized boolean takeChange(ToolCall call) {
    Asked asked = inputs.get(call.id());
    if (asked == null || asked.compared().equals(call.rawInput())) {
      return false;
    }
    if (isAnother(asked.input(), tree(call.rawInput()))) {
      inputs.remove(call.id());
      return true;
    }
    inputs.put(call.id(), new Asked(asked.input(), call.rawInput()));
    return false;
  }

  private static boolean isAnother(JsonNode asked, JsonNode now) {
    if (asked.isMissingNode() || now.isMissingNode()) {
      return false;
    }
    if (!asked.isObject() || !now.isObject()) {
      return !asked.equals(now);
    }
    return asked.properties().stream()
        .filter(member -> !member.getKey().equals(DESCRIPTION) && now.has(member.getKey()))
        .anyMatch(member -> !member.getValue().equals(now.get(member.getKey())));
  }

  private static JsonNode tree(RawJson raw) {
    try {
      return raw.isPresent() ? raw.json() : MissingNode.getInstance();
    } catch (BadJson e) {
      return MissingNode.getInstance();
    }
  }
}
