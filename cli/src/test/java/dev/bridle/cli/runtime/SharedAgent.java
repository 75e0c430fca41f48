package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A process with several sessions, which have turns at the same time. A prompt {@code hold} goes on
 * until {@code free} is prompted in any session, or it is cancelled; {@code look} has the host list
 * the folder, {@code die} ends the process, and others say which process it is, also what a
 * restarted agent is told.
 */
final class SharedAgent {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /** The ids of the prompts that are not answered, by their sessions. */
  private final Map<String, JsonNode> held = new LinkedHashMap<>();

  private final Map<String, JsonNode> looks = new LinkedHashMap<>();

  /** Not the id of the process, which may be the same in each namespace. */
  private final UUID process = UUID.randomUUID();

  private int sessions;

  private SharedAgent() {}

  /** Speaks ACP on standard input and output. */
  public static void main(String[] args) throws IOException {
    new SharedAgent().serve();
  }

  private void serve() throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      take(MAPPER.readTree(line));
    }
  }

  private void take(JsonNode message) {
    JsonNode id = message.path("id");
    String session = message.at("/params/sessionId").asText();
    switch (message.path("method").asText()) {
      case "initialize" -> answer(id, MAPPER.createObjectNode().put("protocolVersion", 1));
      case "session/new" -> {
        sessions++;
        answer(id, MAPPER.createObjectNode().put("sessionId", "shared-" + sessions));
      }
      case "session/prompt" -> prompt(session, id, message.at("/params/prompt/0/text").asText());
      case "session/cancel" -> {
        if (held.containsKey(session)) {
          end(held.remove(session), "cancelled");
        }
      }
      default -> {
        if (looks.containsKey(id.asText())) {
          say(id.asText(), "host says " + message);
          end(looks.remove(id.asText()), "end_turn");
        }
      }
    }
  }

  private void prompt(String session, JsonNode id, String text) {
    switch (text) {
      case "hold" -> {
        held.put(session, id);
        say(session, "holding");
      }
      case "look" -> {
        looks.put(session, id);
        ObjectNode params = MAPPER.createObjectNode().put("name", "list_files");
        params.putArray("args").addObject();
        send(MAPPER.createObjectNode().put("id", session).put("method", "builtin_call"), params);
      }
      case "die" -> Runtime.getRuntime().halt(3);
      default -> {
        if (text.equals("free")) {
          held.values().forEach(prompt -> end(prompt, "end_turn"));
          held.clear();
        }
        say(session, "process " + process);
        end(id, "end_turn");
      }
    }
  }

  private void say(String session, String text) {
    ObjectNode params = MAPPER.createObjectNode().put("sessionId", session);
    params
        .putObject("update")
        .put("sessionUpdate", "agent_message_chunk")
        .putObject("content")
        .put("type", "text")
        .put("text", text);
    send(MAPPER.createObjectNode().put("method", "session/update"), params);
  }

  private void end(JsonNode prompt, String reason) {
    answer(prompt, MAPPER.createObjectNode().put("stopReason", reason));
  }

  private void answer(JsonNode id, ObjectNode result) {
    ObjectNode message = MAPPER.createObjectNode().put("jsonrpc", "2.0");
    message.set("id", id);
    out.println(message.set("result", result).toString());
  }

  private void send(ObjectNode message, ObjectNode params) {
    out.println(message.put("jsonrpc", "2.0").set("params", params).toString());
  }
}
