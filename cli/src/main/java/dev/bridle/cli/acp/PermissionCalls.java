package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.ShownText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Shows permission requests, and how they were decided, as tool calls: in the agent's own where it
 * reports one with the same title, else in one of its own. For one thread.
 */
final class PermissionCalls {
  private static final int MOST = 100;

  private final ToolCalls calls;
  private final AnswerCommands commands;
  private final Map<String, Shown> shown =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Shown> eldest) {
          return size() > MOST;
        }
      };

  private record Shown(String call, boolean isAgents, ArrayNode content) {}

  PermissionCalls(ToolCalls calls, AnswerCommands commands) {
    this.calls = calls;
    this.commands = commands;
  }

  /** Returns the update that shows what is asked. */
  ObjectNode asked(AskedPermission asked) {
    Optional<String> agents = calls.open(asked.agentsTitle());
    String call = agents.orElseGet(() -> calls.id(asked.id()));
    String hint = commands.of(asked.id());
    calls.asking(call, true);
    shown.put(asked.id(), new Shown(call, agents.isPresent(), asked.content(hint)));
    return asked.complete(calls.update(call, asked.title(), asked.kind(), "pending"), hint);
  }

  /** Returns the id of the tool call that shows a request. */
  String call(AskedPermission asked) {
    Shown known = shown.get(asked.id());
    return known == null ? calls.id(asked.id()) : known.call();
  }

  /** Returns the update that shows how a request was decided; empty for one that was not shown. */
  Optional<ObjectNode> decided(String kind, JsonNode payload) {
    Shown known = shown.remove(payload.path("permission_request_id").asText());
    if (known == null) {
      return Optional.empty();
    }
    calls.asking(known.call(), false);
    boolean approved = kind.equals("tool.approved");
    String status = approved ? (known.isAgents() ? "" : "completed") : "failed";
    ObjectNode update = calls.update(known.call(), "", "", status);
    ArrayNode content = known.content().deepCopy();
    content.addAll(Chunks.content(words(kind, payload)));
    return Optional.of(update.set("content", content));
  }

  private static String words(String kind, JsonNode payload) {
    String reason = ShownText.line(payload.path("reason").asText(""));
    if (kind.equals("vendor.bridle.permission_changed")) {
      return "The agent has changed what it asks for: this question is over.";
    }
    if (kind.equals("vendor.bridle.permission_expired")) {
      return switch (reason) {
        case "timed_out" -> "Nobody answered in time: it is not allowed.";
        case "withdrawn" -> "The agent has withdrawn the question.";
        default -> "The question is withdrawn: the task has ended.";
      };
    }
    String by = ShownText.line(payload.path("decided_by").asText(""));
    String how = kind.equals("tool.approved") ? "Approved by " : "Denied by ";
    String grant = payload.path("grant_id").asText("");
    return how
        + by
        + (grant.isEmpty() ? "" : ", with the grant " + ShownText.line(grant))
        + (reason.isEmpty() ? "." : ", with the reason: " + reason);
  }
}
