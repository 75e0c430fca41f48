package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The messages between an agent, which is this process, and its host: JSON-RPC, a line each. */
final class AgentConnection {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /** Returns whether a message has begun to come. */
  boolean hasNext() throws IOException {
    return in.ready();
  }

  /** Returns the next message; empty at the end. */
  Optional<JsonNode> read() throws IOException {
    String line = in.readLine();
    return line == null ? Optional.empty() : Optional.of(MAPPER.readTree(line));
  }

  /** Returns the answer to a request; what comes before it is dropped. */
  JsonNode answer(int id) throws IOException {
    JsonNode message = read().orElseThrow();
    while (message.path("id").asInt() != id || message.has("method")) {
      message = read().orElseThrow();
    }
    return message;
  }

  void answer(JsonNode request, ObjectNode result) {
    ObjectNode answer = message();
    answer.set("id", request.get("id"));
    answer.set("result", result);
    out.println(answer);
  }

  void refuse(JsonNode request, String why) {
    ObjectNode answer = message();
    answer.set("id", request.get("id"));
    answer.putObject("error").put("code", -32_602).put("message", why);
    out.println(answer);
  }

  void request(int id, String method, ObjectNode params) {
    ObjectNode request = message().put("id", id).put("method", method);
    request.set("params", params);
    out.println(request);
  }

  /** Takes a request back. */
  void cancel(int id) {
    ObjectNode notice = message().put("method", "$/cancel_request");
    notice.putObject("params").put("requestId", id);
    out.println(notice);
  }

  /** Sends an update of the session. */
  void send(ObjectNode update) {
    ObjectNode notice = message().put("method", "session/update");
    notice.putObject("params").put("sessionId", "s-1").set("update", update);
    out.println(notice);
  }

  /** Sends a text as a part of the agent's message. */
  void say(String text) {
    ObjectNode update = update("agent_message_chunk");
    update.putObject("content").put("type", "text").put("text", text);
    send(update);
  }

  /** Returns an update of a variant, without its members. */
  static ObjectNode update(String variant) {
    return MAPPER.createObjectNode().put("sessionUpdate", variant);
  }

  private static ObjectNode message() {
    return MAPPER.createObjectNode().put("jsonrpc", "2.0");
  }
}
