package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
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
  private final AgentWire wire = new AgentWire();

  /** The ids of the prompts that are not answered, by their sessions. */
  private final Map<String, JsonNode> held = new LinkedHashMap<>();

  private final Map<String, JsonNode> looks = new LinkedHashMap<>();

  /** Not the id of the process, which may be the same in each namespace. */
  private final UUID process = UUID.randomUUID();

  private int sessions;

  private SharedAgent() {}

  /** Speaks ACP on standard input and output. */
  public static void main(String[] args) throws IOException {
    AgentWire.serve(new SharedAgent()::take);
  }

  private void take(JsonNode message) {
    JsonNode id = message.path("id");
    String session = message.at("/params/sessionId").asText();
    switch (message.path("method").asText()) {
      case "initialize" -> wire.answer(id, AgentWire.object().put("protocolVersion", 1));
      case "session/new" -> {
        sessions++;
        wire.answer(id, AgentWire.object().put("sessionId", "shared-" + sessions));
      }
      case "session/prompt" -> prompt(session, id, message.at("/params/prompt/0/text").asText());
      case "session/cancel" -> {
        if (held.containsKey(session)) {
          end(held.remove(session), "cancelled");
        }
      }
      default -> {
        if (looks.containsKey(id.asText())) {
          wire.say(id.asText(), "host says " + message);
          end(looks.remove(id.asText()), "end_turn");
        }
      }
    }
  }

  private void prompt(String session, JsonNode id, String text) {
    switch (text) {
      case "hold" -> {
        held.put(session, id);
        wire.say(session, "holding");
      }
      case "look" -> {
        looks.put(session, id);
        ObjectNode params = AgentWire.object().put("name", "list_files");
        params.putArray("args").addObject();
        wire.request(session, "builtin_call", params);
      }
      case "die" -> Runtime.getRuntime().halt(3);
      default -> {
        if (text.equals("free")) {
          held.values().forEach(prompt -> end(prompt, "end_turn"));
          held.clear();
        }
        wire.say(session, "process " + process);
        end(id, "end_turn");
      }
    }
  }

  private void end(JsonNode prompt, String reason) {
    wire.answer(prompt, AgentWire.object().put("stopReason", reason));
  }
}
