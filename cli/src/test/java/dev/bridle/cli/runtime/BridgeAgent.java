package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A runtime that uses the host's tools, and reports that as Harn's runtimes do: {@code list} says
 * which ones there are, {@code call NAME JSON} calls one, {@code claim NAME} reports a call that it
 * never made, {@code twice NAME JSON} calls one and reports two. A message {@code cancel} of the
 * user takes back the call that is under way. Others are repeated.
 */
final class BridgeAgent {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String SESSION = "bridge-1";

  private final AgentWire wire = new AgentWire();
  private JsonNode prompt = MAPPER.nullNode();
  private String tool = "";
  private int reports = 1;
  private int calls;

  private BridgeAgent() {}

  /** Speaks ACP and the bridge on standard input and output. */
  public static void main(String[] args) throws IOException {
    AgentWire.serve(new BridgeAgent()::take);
  }

  private void take(JsonNode message) {
    JsonNode params = message.path("params");
    switch (message.path("method").asText()) {
      case "initialize" -> {
        ObjectNode result = AgentWire.object().put("protocolVersion", 1);
        result.putObject("agentCapabilities").putObject("_meta").putObject("harn");
        wire.answer(message.get("id"), result);
      }
      case "session/new" ->
          wire.answer(message.get("id"), AgentWire.object().put("sessionId", SESSION));
      case "session/prompt" -> {
        prompt = message.get("id");
        String text = params.at("/prompt/0/text").asText();
        prompted(text.lines().reduce((first, last) -> last).orElse("").split(" ", 3));
      }
      case "user_message" ->
          wire.notify("$/cancel_request", AgentWire.object().put("requestId", "call-" + calls));
      case "session/cancel" -> end("cancelled");
      default -> answered(message);
    }
  }

  private void prompted(String[] words) {
    switch (words[0]) {
      case "list" -> wire.request("list", "host/tools/list", AgentWire.object());
      case "call", "twice" -> {
        reports = words[0].equals("twice") ? 2 : 1;
        tool = words[1];
        calls++;
        report("tool_call", "pending", "");
        ObjectNode params = AgentWire.object().put("name", tool);
        params.putArray("args").add(json(words[2]));
        wire.request("call-" + calls, "builtin_call", params);
        wire.say(SESSION, "called");
      }
      case "claim" -> {
        tool = words[1];
        calls++;
        report("tool_call", "completed", "");
        end("end_turn");
      }
      default -> {
        wire.say(SESSION, String.join(" ", words));
        end("end_turn");
      }
    }
  }

  private void answered(JsonNode message) {
    if (!message.has("result") && !message.has("error")) {
      return;
    }
    if (message.path("id").asText().equals("call-" + calls)) {
      String status = message.has("result") ? "completed" : "failed";
      report("tool_call_update", status, "");
      if (reports > 1) {
        report("tool_call", status, "-again");
      }
    }
    wire.say(SESSION, "host says " + message.path(message.has("error") ? "error" : "result"));
    end("end_turn");
  }

  private void report(String variant, String status, String suffix) {
    ObjectNode params = AgentWire.object().put("sessionId", SESSION);
    params
        .putObject("update")
        .put("sessionUpdate", variant)
        .put("toolCallId", "t" + calls + suffix)
        .put("toolName", tool)
        .put("kind", tool.equals("run_command") ? "execute" : "other")
        .put("status", status)
        .put("executor", "host_bridge");
    wire.notify("session/update", params);
  }

  private void end(String reason) {
    wire.answer(prompt, AgentWire.object().put("stopReason", reason));
  }

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
