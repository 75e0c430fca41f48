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
import java.util.Optional;

/**
 * With what input the tool calls of a turn were asked for, the latest 200 of them, so that one
 * which then goes on with another input is noticed. Thread-safe.
 */
final class AskedInputs {
  private static final int MOST = 200;

  /** What an agent says about an action, and may say otherwise later. */
  private static final String DESCRIPTION = "description";

  private final Map<String, JsonNode> inputs = new LinkedHashMap<>();

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
    inputs.put(toolCallId, input);
  }

  /**
   * Returns whether a call's input is now another one than what was asked for. Members that were
   * not asked for are none of these: some agents ask with other members than they call with.
   */
  synchronized boolean isChanged(ToolCall call) {
    JsonNode asked = Optional.ofNullable(inputs.get(call.id())).orElse(MissingNode.getInstance());
    JsonNode now = tree(call.rawInput());
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
