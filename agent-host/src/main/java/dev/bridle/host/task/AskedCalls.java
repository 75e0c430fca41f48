package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the tool calls of a turn were asked for with, the latest 200 of them, so that one which then
 * goes on as another action is noticed. Thread-safe.
 */
final class AskedCalls {
  private static final int MOST = 200;

  private final RequestTraits traits;
  private final Path folder;
  private final Map<String, ShownCall> calls = new LinkedHashMap<>();

  AskedCalls(RequestTraits traits, Path folder) {
    this.traits = traits;
    this.folder = folder;
  }

  /** Notes what is asked. */
  synchronized void asked(Question.Permission question, AskedAction action) {
    Optional<ShownCall> before = Optional.ofNullable(calls.get(question.toolCallId()));
    put(question.toolCallId(), ShownCall.of(question, action, traits, folder, before));
  }

  /** Notes an input that was said of a call while it was asked for, and made no other action. */
  synchronized void said(ToolCall call) {
    Optional.ofNullable(calls.get(call.id())).ifPresent(shown -> shown.said(call));
  }

  /** Notes that a call is allowed with other arguments than it was asked for with. */
  synchronized void modified(String toolCallId, JsonNode arguments) {
    Optional.ofNullable(calls.get(toolCallId))
        .ifPresent(shown -> put(toolCallId, shown.with(arguments)));
  }

  private void put(String id, ShownCall shown) {
    calls.remove(id);
    Iterator<String> oldest = calls.keySet().iterator();
    while (calls.size() >= MOST) {
      oldest.next();
      oldest.remove();
    }
    calls.put(id, shown);
  }

  /**
   * Returns what a call, as the agent reports it now, is otherwise than was shown, once: by the
   * name of the member, {@code allowed} and {@code acted}. Empty if it is the same.
   */
  synchronized Optional<ObjectNode> takeDifference(ToolCall call) {
    ShownCall shown = calls.get(call.id());
    if (shown == null) {
      return Optional.empty();
    }
    Optional<ObjectNode> difference = shown.difference(call);
    difference.ifPresent(found -> calls.remove(call.id()));
    return difference;
  }
}
