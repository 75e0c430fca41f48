package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** An agent's side of JSON-RPC on standard input and output. */
final class AgentWire {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /** Passes each message on, until there are no more. */
  static void serve(Consumer<JsonNode> taker) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      taker.accept(MAPPER.readTree(line));
    }
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  void answer(JsonNode id, ObjectNode result) {
    send(object().<ObjectNode>set("id", id), "result", result);
  }

  void request(String id, String method, ObjectNode params) {
    send(object().put("id", id).put("method", method), "params", params);
  }

  void notify(String method, ObjectNode params) {
    send(object().put("method", method), "params", params);
  }

  /** Says a piece of text in a session. */
  void say(String session, String text) {
    ObjectNode params = object().put("sessionId", session);
    params
        .putObject("update")
        .put("sessionUpdate", "agent_message_chunk")
        .putObject("content")
        .put("type", "text")
        .put("text", text);
    notify("session/update", params);
  }

  private void send(ObjectNode message, String member, ObjectNode value) {
    send(message.put("jsonrpc", "2.0").set(member, value).toString());
  }

  /** Sends a message as it is spelled. */
  void send(String message) {
    out.println(message);
  }
}
