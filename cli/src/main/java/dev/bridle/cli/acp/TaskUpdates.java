package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.event.SpokenPieces;
import dev.bridle.cli.rest.StreamEvent;
import dev.bridle.host.task.HostEvents;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes updates for an editor of the events of one task, in their order. For one thread. */
final class TaskUpdates {
  private static final Set<String> PRIORITIES = Set.of("high", "medium", "low");
  private static final Set<String> PLAN_STATUSES = Set.of("pending", "in_progress", "completed");

  private static final Set<String> TOOL_CALLS =
      Set.of("agent.tool_use", HostEvents.TOOL_CALL, HostEvents.TOOL_RESULT);

  private final ToolCalls tools;
  private final PermissionCalls permissions;
  private final AnswerCommands commands;
  private final Set<String> known;

  /**
   * Whether effects that are reported now are what a hosted agent has said to have done in the tool
   * call before them, which is shown.
   */
  private boolean claims;

  /** What the editor has of the agent's next message already. */
  private final SpokenPieces spoken = new SpokenPieces();

  /**
   * Creates the mapping for a task.
   *
   * @param known the ids of messages that the editor has, since its user wrote them
   */
  TaskUpdates(String task, AnswerCommands commands, Set<String> known) {
    this.tools = new ToolCalls(task);
    this.permissions = new PermissionCalls(tools, commands);
    this.commands = commands;
    this.known = known;
  }

  /** Returns what the editor is shown of an event; nothing of most kinds. */
  List<ObjectNode> of(StreamEvent event) {
    JsonNode payload = event.body().path("payload");
    String kind = event.kind();
    if (SideEffects.include(kind)) {
      return claims ? List.of() : List.of(SideEffects.of(tools, event.id(), kind, payload));
    }
    // What the agent says meanwhile may stand between a call's end and the effects that it claims.
    if (TOOL_CALLS.contains(kind)) {
      claims = HostEvents.ENDED.contains(payload.path("status").asText());
    }
    return switch (kind) {
      case "user.message", "user.input_submitted" -> message(Chunks.USER, payload);
      case "agent.message" -> agentMessage(payload);
      case "task.submitted" -> submitted(payload);
      case HostEvents.TEXT -> text(event, payload);
      case "agent.reasoning_summary" -> thought(payload, "summary", "text");
      case "vendor.bridle.progress" -> thought(payload, "text");
      case HostEvents.CONTENT -> content(payload);
      case "vendor.agent_host.commands" -> commands(payload.path("commands"));
      case "vendor.agent_host.context" -> usage(payload);
      case "vendor.agent_host.plan" -> plan(payload.path("plan"));
      case "agent.tool_use", HostEvents.TOOL_CALL, HostEvents.TOOL_OUTPUT ->
          tools.reported(event.id(), payload, "").map(List::of).orElse(List.of());
      case "tool.requested" ->
          tools.reported(event.id(), payload, "pending").map(List::of).orElse(List.of());
      case HostEvents.TOOL_RESULT ->
          tools
              .reported(event.id(), payload, payload.path("status").asText("completed"))
              .map(List::of)
              .orElse(List.of());
      case "tool.completed" ->
          tools.reported(event.id(), payload, "completed").map(List::of).orElse(List.of());
      case "tool.failed" ->
          tools.reported(event.id(), payload, "failed").map(List::of).orElse(List.of());
      case "tool.approval_required" -> List.of(permissions.asked(AskedPermission.ofEvent(payload)));
      case "tool.approved",
          "tool.denied",
          "vendor.bridle.permission_expired",
          "vendor.bridle.permission_changed" ->
          permissions.decided(kind, payload).map(List::of).orElse(List.of());
      case "vendor.bridle.permission_used" -> usedGrant(payload);
      case "task.input_required" -> question(event, payload);
      case "vendor.agent_host.restarted" ->
          note(
              "the agent ended and is started again: "
                  + ShownText.line(payload.path("reason").asText()));
      case "vendor.bridle.acted_differently" ->
          note(
              "the agent has acted otherwise than was allowed: "
                  + ShownText.line(
                      payload.path("title").asText() + " " + payload.path("difference")));
      case HostEvents.OUTCOME_UNKNOWN ->
          note(
              "nobody knows whether this was done: "
                  + ShownText.line(payload.path("title").asText()));
      default -> List.of();
    };
  }

  /** Returns the update that shows a request which was asked before the events that are read. */
  ObjectNode asked(AskedPermission asked) {
    return permissions.asked(asked);
  }

  /** Returns what the editor's user is asked. */
  ObjectNode question(AskedPermission asked) {
    ObjectNode call =
        JsonLines.object()
            .put("toolCallId", permissions.call(asked))
            .put("title", asked.title())
            .put("kind", asked.kind())
            .put("status", "pending");
    ObjectNode params = JsonLines.object();
    params.set("toolCall", asked.complete(call, commands.of(asked.id())));
    return params.set("options", asked.options());
  }

  private List<ObjectNode> agentMessage(JsonNode payload) {
    return spoken.endWith(payload) ? List.of() : message(Chunks.AGENT, payload);
  }

  private List<ObjectNode> message(String variant, JsonNode payload) {
    String id = payload.path("message_id").asText("");
    return known.contains(id) ? List.of() : Chunks.ofParts(variant, id, payload.path("parts"));
  }

  /** A message has an event of its own; other input is in this one. */
  private List<ObjectNode> submitted(JsonNode payload) {
    JsonNode input = payload.path("input");
    if (!input.isObject()) {
      return List.of();
    }
    boolean textOnly = input.path("text").isTextual() && input.size() == 1;
    String shown = textOnly ? input.get("text").asText() : Texts.fenced(input.toPrettyString());
    return List.of(Chunks.of(Chunks.USER, "", Chunks.block(shown)));
  }

  /** A link, an image or a resource, as which it also reads in the message. */
  private List<ObjectNode> content(JsonNode payload) {
    if (!payload.path("content").isObject()) {
      return List.of(); // Nobody may see it.
    }
    spoken.add(payload.path("text").asText(""));
    return List.of(Chunks.of(Chunks.AGENT, "", ReportedOutput.block(payload.get("content"))));
  }

  private List<ObjectNode> text(StreamEvent event, JsonNode payload) {
    String id = payload.path("message_id").asText("");
    String text = payload.path("text").asText("");
    spoken.add(text);
    return text.isEmpty()
        ? List.of()
        : List.of(
            Chunks.of(
                Chunks.AGENT, id.isEmpty() ? "" : event.taskId() + "/" + id, Chunks.block(text)));
  }

  private static List<ObjectNode> thought(JsonNode payload, String... names) {
    for (String name : names) {
      String text = payload.path(name).asText("");
      if (!text.isEmpty()) {
        return List.of(Chunks.thought(text + "\n"));
      }
    }
    return List.of();
  }

  private static List<ObjectNode> note(String text) {
    return List.of(Chunks.note(text));
  }

  /** Returns what the agent can be prompted with by a slash, as it says. */
  private static List<ObjectNode> commands(JsonNode given) {
    if (!given.isArray()) {
      return List.of();
    }
    ObjectNode update = JsonLines.object().put("sessionUpdate", "available_commands_update");
    ArrayNode all = update.putArray("availableCommands");
    for (JsonNode command : given) {
      if (command.path("name").isTextual()) {
        ObjectNode shown =
            all.addObject()
                .put("name", ShownText.line(command.path("name").asText()))
                .put("description", ShownText.line(command.path("description").asText("")));
        if (command.at("/input/hint").isTextual()) {
          shown.putObject("input").put("hint", ShownText.line(command.at("/input/hint").asText()));
        }
      }
    }
    return List.of(update);
  }

  private static List<ObjectNode> usage(JsonNode payload) {
    if (!payload.path("used").isIntegralNumber() || !payload.path("size").isIntegralNumber()) {
      return List.of(); // Nothing is known of it, which is not zero.
    }
    ObjectNode update =
        JsonLines.object()
            .put("sessionUpdate", "usage_update")
            .put("used", payload.path("used").asLong())
            .put("size", payload.path("size").asLong());
    if (payload.has("session_cost")) {
      update
          .putObject("cost")
          .put("currency", ShownText.line(payload.path("currency").asText()))
          .set("amount", payload.get("session_cost"));
    }
    return List.of(update);
  }

  private static List<ObjectNode> plan(JsonNode given) {
    ObjectNode plan = JsonLines.object().put("sessionUpdate", "plan");
    ArrayNode entries = plan.putArray("entries");
    for (JsonNode entry : given.isArray() ? given : given.path("entries")) {
      entries
          .addObject()
          .put("content", entry.path("content").asText(""))
          .put("priority", oneOf(PRIORITIES, entry.path("priority"), "medium"))
          .put("status", oneOf(PLAN_STATUSES, entry.path("status"), "pending"));
    }
    return List.of(plan);
  }

  private static String oneOf(Set<String> allowed, JsonNode value, String other) {
    return Optional.of(value.asText("")).filter(allowed::contains).orElse(other);
  }

  private static List<ObjectNode> usedGrant(JsonNode payload) {
    String grant = payload.path("grant_id").asText("");
    return grant.isEmpty()
        ? List.of()
        : List.of(
            Chunks.thought(
                "Allowed by the standing grant "
                    + grant
                    + ": "
                    + payload.at("/action/title").asText(payload.at("/action/kind").asText())
                    + "\n"));
  }

  private List<ObjectNode> question(StreamEvent event, JsonNode payload) {
    String prompt = payload.path("prompt").asText("");
    String call = payload.path("tool_call_id").asText("");
    if (!call.isEmpty()) {
      return note(
          "the task waits for the result of a tool, which an editor can't run. It is given with\n"
              + Texts.fenced(commands.ofTool(event.taskId(), call)));
    }
    boolean isForm = payload.path("schema").isObject();
    String form = isForm ? "\n" + Texts.fenced(payload.path("schema").toPrettyString()) : "";
    return List.of(
        Chunks.of(Chunks.AGENT, "", Chunks.block("\n\n" + prompt + form)),
        Chunks.note(
            "the task waits. Your next message is the answer"
                + (isForm ? ": a JSON object for this form; anything else declines it." : ".")));
  }
}
