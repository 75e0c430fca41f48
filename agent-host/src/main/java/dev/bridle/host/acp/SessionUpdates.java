package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.acp.SessionUpdate.Voice;
import dev.bridle.host.rpc.IncomingRequest;
import dev.bridle.host.rpc.RawJson;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads the updates and questions of a session. For the connection's thread. */
final class SessionUpdates {
  /** What says how things stand, and repeats nothing. */
  private static final Set<String> STANDING =
      Set.of(
          "available_commands_update",
          "current_mode_update",
          "config_option_update",
          "session_info_update");

  private static final int MOST_ID = 1024;

  private final Coalescer coalescer;

  SessionUpdates(Coalescer coalescer) {
    this.coalescer = coalescer;
  }

  static boolean isHistory(RawJson update) {
    return !STANDING.contains(Members.of(update).text("sessionUpdate"));
  }

  /**
   * Takes an update.
   *
   * @return what it says of a tool call; empty if it is about none
   */
  Optional<CallUpdate> take(RawJson raw) {
    Members update = Members.of(raw);
    String variant = update.text("sessionUpdate");
    switch (variant) {
      case "agent_message_chunk" -> chunk(Voice.AGENT, update, raw);
      case "agent_thought_chunk" -> chunk(Voice.THOUGHT, update, raw);
      case "user_message_chunk" -> chunk(Voice.USER, update, raw);
      case "tool_call", "tool_call_update" -> {
        if (isId(update.text("toolCallId"))) {
          coalescer.tool(raw);
          return coalescer.known(update.text("toolCallId")).map(call -> CallUpdate.of(call, raw));
        }
        other(variant, raw);
      }
      case "plan" -> list(update, "entries", SessionUpdate.Plan::new, raw);
      case "available_commands_update" ->
          list(update, "availableCommands", SessionUpdate.Commands::new, raw);
      case "current_mode_update" -> mode(update, raw);
      case "config_option_update" ->
          list(update, "configOptions", SessionUpdate.ConfigOptions::new, raw);
      case "usage_update" -> usage(update, raw);
      default -> other(variant, raw);
    }
    return Optional.empty();
  }

  /** Returns whether the agent has yet to say the rest of a tool call that it asks about. */
  boolean isOnlyAnnounced(String toolCallId) {
    return coalescer.isOnlyAnnounced(toolCallId);
  }

  private void chunk(Voice voice, Members update, RawJson raw) {
    String messageId = update.text("messageId");
    String id = isId(messageId) ? messageId : "";
    Members block = update.object("content");
    // Whatever further members it has, such as annotations.
    boolean isText = block.text("type").equals("text") && block.json("text").isTextual();
    if (isText) {
      coalescer.text(voice, id, block.text("text"));
    } else if (update.offers("content")) {
      coalescer.whole(new SessionUpdate.Content(voice, id, update.raw("content").alone()));
    } else {
      other(update.text("sessionUpdate"), raw);
    }
  }

  /** What has no list says nothing of how things stand. */
  private void list(
      Members update, String member, Function<RawJson, SessionUpdate> made, RawJson raw) {
    if (update.json(member).isArray()) {
      coalescer.whole(made.apply(update.raw(member).alone()));
    } else {
      other(update.text("sessionUpdate"), raw);
    }
  }

  private void mode(Members update, RawJson raw) {
    String mode = update.text("currentModeId");
    if (mode.isEmpty()) {
      other("current_mode_update", raw);
    } else {
      coalescer.whole(new SessionUpdate.Mode(mode));
    }
  }

  private void usage(Members update, RawJson raw) {
    if (!isCount(update.json("used")) || !isCount(update.json("size"))) {
      other("usage_update", raw);
      return;
    }
    Members cost = update.object("cost");
    Optional<SessionUpdate.Cost> told =
        cost.json("amount").isNumber() && !cost.text("currency").isEmpty()
            ? Optional.of(new SessionUpdate.Cost(cost.raw("amount").alone(), cost.text("currency")))
            : Optional.empty();
    coalescer.whole(
        new SessionUpdate.Usage(
            update.json("used").longValue(), update.json("size").longValue(), told));
  }

  private static boolean isCount(JsonNode json) {
    return json.isIntegralNumber() && json.canConvertToLong() && json.longValue() >= 0;
  }

  /** Ids are kept for as long as the session, so a long one is none. */
  private static boolean isId(String id) {
    return !id.isEmpty() && id.length() <= MOST_ID;
  }

  private void other(String variant, RawJson raw) {
    coalescer.whole(new SessionUpdate.Other(variant, raw.alone()));
  }

  /** What a request asks of the user; empty if nothing that this version can ask. */
  Optional<Question> question(IncomingRequest request) {
    Members params = Members.of(request.params());
    if (request.method().equals("session/request_permission")) {
      RawJson call = params.raw("toolCall");
      ToolCall asked = ToolCall.of(call);
      if (asked.id().isEmpty() && call.isPresent()) {
        // Runtimes that name their request give the tool call no id of its own.
        asked =
            asked.named(
                HarnMembers.of(request.params(), call).object("approvalRequest").text("id"));
      }
      if (!isId(asked.id())) {
        return Optional.empty();
      }
      return Optional.of(
          new Question.Permission(
              asked,
              coalescer.known(asked.id()).filter(known -> !known.over()),
              options(params),
              request.params().alone(),
              true));
    }
    boolean form =
        params.text("mode").equals("form")
            && params.offers("requestedSchema")
            && params.json("message").isTextual();
    return form
        ? Optional.of(
            new Question.Form(
                params.text("toolCallId"),
                params.text("message"),
                params.raw("requestedSchema").alone(),
                request.params().alone()))
        : Optional.empty();
  }

  private static List<Question.Option> options(Members params) {
    return params.objects("options").stream()
        .map(Members::of)
        .filter(option -> option.json("optionId").isTextual())
        .map(
            option ->
                new Question.Option(
                    option.text("optionId"),
                    option.text("name"),
                    Question.OptionKind.of(option.text("kind"))))
        .toList();
  }

  void flush() {
    coalescer.flush();
  }

  void endOfTurn() {
    coalescer.endOfTurn();
  }
}
