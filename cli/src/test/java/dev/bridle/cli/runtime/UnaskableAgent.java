package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An agent that asks what the core does not ask people, as its prompt says: {@code deep} about an
 * input with 100 levels, {@code wide} with 300 KB of members, {@code half} with half a character,
 * {@code form} by a form with a deep schema; {@code plain} asks as others do. It writes a file once
 * it may, and says what it was answered.
 */
final class UnaskableAgent {
  private final AgentWire wire = new AgentWire();
  private Path folder = Path.of("");
  private JsonNode prompt = AgentWire.object();

  private UnaskableAgent() {}

  /** Speaks ACP on standard input and output. */
  public static void main(String[] args) throws IOException {
    AgentWire.serve(new UnaskableAgent()::take);
  }

  private void take(JsonNode message) {
    switch (message.path("method").asText()) {
      case "initialize" ->
          wire.answer(message.get("id"), AgentWire.object().put("protocolVersion", 1));
      case "session/new" -> {
        folder = Path.of(message.at("/params/cwd").asText());
        wire.answer(message.get("id"), AgentWire.object().put("sessionId", "u-1"));
      }
      case "session/prompt" -> {
        prompt = message;
        ask(text());
      }
      default -> {
        if (message.path("id").asText().equals("ask")) {
          answered(message);
        }
      }
    }
  }

  private String text() {
    return prompt.at("/params/prompt/0/text").asText();
  }

  private void ask(String what) {
    String deep = "{\"a\":".repeat(100) + "1" + "}".repeat(100);
    switch (what) {
      case "deep" -> permission(deep);
      case "wide" ->
          permission(
              IntStream.range(0, 30_000)
                  .mapToObj(i -> "\"m" + i + "\":" + i)
                  .collect(Collectors.joining(",", "{", "}")));
      case "half" -> permission("{\"command\":\"touch \\ud83d\"}");
      case "form" ->
          wire.send(
              "{\"jsonrpc\":\"2.0\",\"id\":\"ask\",\"method\":\"elicitation/create\",\"params\":"
                  + "{\"sessionId\":\"u-1\",\"mode\":\"form\",\"message\":\"Who?\","
                  + "\"requestedSchema\":"
                  + deep
                  + "}}");
      default -> permission("{\"command\":\"touch made\"}");
    }
  }

  private void permission(String input) {
    wire.send(
        "{\"jsonrpc\":\"2.0\",\"id\":\"ask\",\"method\":\"session/request_permission\",\"params\":"
            + "{\"sessionId\":\"u-1\",\"toolCall\":{\"toolCallId\":\"call\",\"title\":\"act\","
            + "\"kind\":\"execute\",\"rawInput\":"
            + input
            + "},\"options\":[{\"optionId\":\"yes\",\"name\":\"Yes\",\"kind\":\"allow_once\"},"
            + "{\"optionId\":\"no\",\"name\":\"No\",\"kind\":\"reject_once\"}]}}");
  }

  private void answered(JsonNode answer) {
    if (answer.at("/result/outcome/optionId").asText().equals("yes")) {
      try {
        Files.writeString(folder.resolve("made"), "made");
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      wire.say("u-1", "made");
    } else {
      wire.say("u-1", "answered " + answer);
    }
    wire.answer(prompt.get("id"), AgentWire.object().put("stopReason", "end_turn"));
  }
}
