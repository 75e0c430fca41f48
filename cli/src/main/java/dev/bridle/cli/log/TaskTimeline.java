package dev.bridle.cli.log;

import static dev.bridle.cli.log.TimelinePrinter.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.event.SpokenPieces;
import dev.bridle.cli.rest.StreamEvent;
import dev.bridle.host.task.HostEvents;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Prints a task's events for people: a line with the time for what happened, and behind bars what
 * was said, called with and given back. All text passes {@link ShownText}. For one thread.
 */
final class TaskTimeline {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final String TITLE = "title";

  private final TimelinePrinter printer;
  private final boolean thoughts;
  private final ZoneId zone;

  /** What the agent says, piece by piece, until something else happens. */
  private final StringBuilder speaking = new StringBuilder();

  /** What is printed of the agent's next message already. */
  private final SpokenPieces spoken = new SpokenPieces();

  private String spokenAt = "";

  /** The input that was printed last: that of the action that is asked for next, mostly. */
  private JsonNode input = MissingNode.getInstance();

  /** Who answered which permission request. */
  private final Map<String, String> answered = new HashMap<>();

  private JsonNode context = MissingNode.getInstance();

  /**
   * Creates a timeline.
   *
   * @param thoughts whether it says where the agent reasoned
   * @param zone the zone of the times
   */
  TaskTimeline(PrintWriter out, boolean thoughts, ZoneId zone) {
    this.printer = new TimelinePrinter(out);
    this.thoughts = thoughts;
    this.zone = zone;
  }

  /** Prints which task it is. */
  void begin(JsonNode task) {
    printer.print(
        text(task, "id")
            + ", "
            + words(task.path("status").asText())
            + ", begun "
            + task.path("created_at").asText()
            + ", session "
            + text(task, "session_id"));
  }

  /** Prints an event, if people want to know it. */
  void event(StreamEvent event) {
    JsonNode payload = event.body().path("payload");
    String at = time(event);
    if (event.kind().equals(HostEvents.TEXT) || event.kind().equals(HostEvents.CONTENT)) {
      say(at, event.kind(), payload);
      return;
    }
    endSpeech();
    switch (event.kind()) {
      case "task.submitted" -> submitted(at, event.body());
      case "user.message", "user.input_submitted" -> said(at, actor(event.body()), payload);
      case "agent.message" -> agentMessage(at, payload);
      case "vendor.agent_host.thought", "agent.reasoning_summary" -> thought(at, payload);
      case "agent.tool_use" -> call(at, payload);
      case HostEvents.TOOL_CALL -> changedInput(at, payload);
      case HostEvents.TOOL_RESULT -> result(at, payload);
      case HostEvents.TOOL_OUTPUT -> {
        printer.line(at, "more output of " + text(payload, "tool_call_id"));
        printer.output(payload);
      }
      case "tool.approval_required" -> asked(at, payload);
      case "user.tool_confirmation" -> confirmed(at, payload);
      case "tool.approved" -> decided(at, "approved", event.body());
      case "tool.denied" -> decided(at, "denied", event.body());
      case "vendor.bridle.permission_used" -> used(at, payload);
      case "vendor.bridle.permission_expired" ->
          printer.line(at, "not answered: " + words(payload.path("reason").asText("expired")));
      case "vendor.bridle.permission_changed" ->
          printer.line(
              at,
              payload.path("was_used").isBoolean()
                  ? "void: the agent has changed what it had asked for"
                  : "not answered: the agent has changed what it asks for");
      case "vendor.bridle.acted_differently" ->
          printer.line(
              at,
              "ACTED DIFFERENTLY than was allowed: "
                  + text(payload, TITLE)
                  + " "
                  + ShownText.line(payload.path("difference").toString()));
      case HostEvents.ANSWERED -> told(at, payload);
      case "task.input_required" -> printer.line(at, "asks: " + text(payload, "prompt"));
      case "vendor.agent_host.restarted" ->
          lost(at, "the agent ended: " + text(payload, "reason"), payload);
      case "vendor.agent_host.ended_between_tasks" ->
          lost(at, "the agent had ended since the task before", payload);
      case "vendor.agent_host.turn_failed" ->
          printer.line(at, "the turn failed: " + text(payload, "reason"));
      case HostEvents.OUTCOME_UNKNOWN ->
          printer.line(at, "nobody knows whether this was done: " + text(payload, TITLE));
      case HostEvents.QUESTION_REJECTED ->
          printer.line(at, "nobody was asked: " + text(payload, "reason"));
      case HostEvents.OPENED -> printer.line(at, "session of the agent: " + text(payload, "how"));
      case "agent.handoff" ->
          printer.line(at, "hands work over: " + text(payload.path("child"), "task"));
      case "artifact.created" ->
          printer.line(
              at, "artifact " + text(payload, "artifact_id") + " " + text(payload, "mime_type"));
      case "vendor.agent_host.context" -> context = payload;
      case "task.completed" -> printer.line(at, "completed");
      case "task.canceled" -> printer.line(at, "canceled");
      case "task.failed" -> failed(at, payload.path("failure"));
      default -> {}
    }
    printer.flush();
  }

  /** Prints what is known at the end: cost and receipt. */
  void end(JsonNode task, JsonNode outcomes) {
    endSpeech();
    if (context.has("used")) {
      String cost =
          context.has("session_cost")
              ? ", the session has cost "
                  + context.path("session_cost").asText()
                  + " "
                  + text(context, "currency")
              : "";
      printer.print(
          "context: "
              + context.path("used").asLong()
              + " of "
              + context.path("size").asLong()
              + " tokens"
              + cost);
    }
    for (JsonNode outcome : outcomes) {
      if (outcome.path("cost").isObject() && !outcome.path("cost").isEmpty()) {
        printer.print("cost: " + ShownText.line(outcome.get("cost").toString()));
      }
    }
    if (task.path("receipt_id").isTextual()) {
      printer.print("receipt: " + text(task, "receipt_id"));
    }
    printer.flush();
  }

  private void told(String at, JsonNode payload) {
    String option = text(payload, "option_name");
    printer.line(
        at,
        "the agent was told: "
            + words(payload.path("outcome").asText())
            + (option.isEmpty() ? "" : " '" + option + "'"));
  }

  private void say(String at, String kind, JsonNode payload) {
    boolean begins = kind.equals(HostEvents.TEXT) && payload.path("offset").asLong() == 0;
    if (begins) {
      endSpeech();
    }
    if (speaking.length() == 0) {
      spokenAt = at;
    }
    String text = payload.path("text").asText();
    speaking.append(text);
    spoken.add(text);
  }

  private void endSpeech() {
    if (speaking.length() > 0) {
      printer.line(spokenAt, "agent");
      printer.block(speaking.toString());
      speaking.setLength(0);
    }
  }

  private void agentMessage(String at, JsonNode payload) {
    if (!spoken.endWith(payload)) {
      said(at, "agent", payload);
    }
  }

  private void submitted(String at, JsonNode event) {
    JsonNode given = event.at("/payload/input");
    if (given.isObject()) {
      printer.line(at, actor(event));
      printer.block(
          given.path("text").isTextual() ? given.get("text").textValue() : given.toString());
    }
  }

  private void said(String at, String who, JsonNode payload) {
    printer.line(at, who);
    printer.block(parts(payload));
  }

  private static String parts(JsonNode payload) {
    StringBuilder text = new StringBuilder();
    for (JsonNode part : payload.path("parts")) {
      text.append(text.length() == 0 ? "" : "\n");
      text.append(part.path("text").isTextual() ? part.get("text").textValue() : "[" + part + "]");
    }
    return text.toString();
  }

  private void thought(String at, JsonNode payload) {
    if (!thoughts) {
      return;
    }
    if (payload.path("redacted").isObject()) {
      printer.line(at, "thought, " + payload.at("/redacted/size").asLong() + " bytes");
    } else {
      printer.line(at, "thought");
      printer.block(payload.path("summary").asText(payload.path("text").asText()));
    }
  }

  private void call(String at, JsonNode payload) {
    printer.line(at, text(payload, "tool_name") + ": " + text(payload, TITLE));
    input(payload);
  }

  private void changedInput(String at, JsonNode payload) {
    if (payload.has("input") || payload.has("input_cut")) {
      printer.line(at, text(payload, "tool_name") + ": " + text(payload, TITLE));
      input(payload);
    }
  }

  private void input(JsonNode payload) {
    if (payload.path("input").isObject()) {
      input = payload.get("input");
      printer.members(input);
    } else if (payload.has("input")) {
      printer.block(payload.get("input").toString());
    } else if (payload.has("input_cut")) {
      printer.cut(payload.get("input_cut"));
    }
  }

  private void result(String at, JsonNode payload) {
    String error = text(payload, "error");
    printer.line(
        at,
        text(payload, TITLE)
            + ": "
            + text(payload, "status")
            + (payload.path("unverified").asBoolean() ? ", which nobody had allowed" : "")
            + (error.isEmpty() ? "" : ", " + error));
    input(payload);
    printer.output(payload);
  }

  private void asked(String at, JsonNode payload) {
    JsonNode action = payload.path("action");
    printer.line(
        at,
        "asks for permission: "
            + text(action, TITLE)
            + " ("
            + text(payload, "permission_request_id")
            + ")");
    if (action.has("not_exact")) {
      printer.line(at, "not known exactly: " + text(action, "not_exact"));
    }
    if (!action.path("content").equals(input)) {
      printer.members(action.path("content"));
    }
    action.path("edited_files").forEach(file -> printer.block("writes " + file.asText()));
  }

  private void confirmed(String at, JsonNode payload) {
    JsonNode answer = payload.path("answer");
    answered.put(payload.path("permission_request_id").asText(), text(answer, "actor"));
    boolean approved = answer.path("approved").asBoolean();
    String grant = text(answer, "grant");
    String option = text(answer, "option_id");
    String reason = text(answer, "reason");
    printer.line(
        at,
        (approved ? "approved" : "denied")
            + " by "
            + text(answer, "actor")
            + " ("
            + text(answer, "channel")
            + ")"
            + (!approved ? "" : grant.isEmpty() ? ", once" : ", with the grant " + grant)
            + (option.isEmpty() ? "" : ", by the option " + option)
            + (reason.isEmpty() ? "" : ", with the reason: " + reason));
    if (answer.path("arguments").isObject()) {
      printer.block("with other arguments: " + answer.get("arguments"));
    }
  }

  /** A decision without the answer of a person was made by a rule. */
  private void decided(String at, String decision, JsonNode event) {
    JsonNode payload = event.path("payload");
    String request = payload.path("permission_request_id").asText("");
    if (answered.containsKey(request)) {
      return;
    }
    String why =
        text(payload, "reason").isEmpty() ? text(payload, "code") : text(payload, "reason");
    printer.line(
        at,
        decision
            + " by "
            + (payload.has("decided_by") ? text(payload, "decided_by") : "a rule")
            + (why.isEmpty() ? "" : ": " + why));
  }

  private void used(String at, JsonNode payload) {
    String grant = text(payload, "grant_id");
    if (!grant.isEmpty()) {
      printer.line(at, "allowed by the standing grant " + grant);
    }
  }

  private void lost(String at, String what, JsonNode payload) {
    String code = payload.has("exit_code") ? ", exit code " + payload.get("exit_code").asInt() : "";
    String signal = payload.has("signal") ? ", signal " + payload.get("signal").asInt() : "";
    printer.line(at, what + code + signal);
    if (payload.has("noise_lines")) {
      printer.block("lines that were no messages: " + payload.get("noise_lines").asLong());
      printer.block(payload.path("noise").asText());
    }
    if (payload.has("stderr")) {
      printer.block(payload.get("stderr").asText());
    }
  }

  private void failed(String at, JsonNode failure) {
    printer.line(at, "failed, " + text(failure, "code"));
    printer.block(failure.path("message").asText());
  }

  private String time(StreamEvent event) {
    String created = event.body().path("created_at").asText("");
    try {
      return TIME.withZone(zone).format(Instant.parse(created));
    } catch (DateTimeException e) {
      return ShownText.line(created);
    }
  }

  private static String actor(JsonNode event) {
    String actor = text(event, "actor");
    return actor.isEmpty() ? "user" : "user (" + actor + ")";
  }

  private static String words(String word) {
    return ShownText.line(word.toLowerCase(Locale.ROOT).replace('_', ' '));
  }
}
