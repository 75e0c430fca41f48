package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * An agent whose prompts say what it does: {@code make NAME} asks and makes a file, {@code sneak
 * NAME} makes it without asking, {@code die} ends the process, {@code wait} goes on until it is
 * cancelled, {@code say TEXT} says it. Its session is a file in its folder, to be resumed.
 */
public final class ScriptedAgent {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private Path folder = Path.of("");
  private int calls;

  private ScriptedAgent() {}

  /** Speaks ACP on standard input and output. */
  public static void main(String[] args) throws IOException {
    new ScriptedAgent().serve();
  }

  private void serve() throws IOException {
    for (Optional<JsonNode> next = read(); next.isPresent(); next = read()) {
      JsonNode message = next.get();
      ObjectNode result = MAPPER.createObjectNode();
      switch (message.path("method").asText()) {
        case "initialize" -> {
          result.put("protocolVersion", 1);
          result.putObject("agentInfo").put("name", "Scripted").put("version", "1");
          result
              .putObject("agentCapabilities")
              .putObject("sessionCapabilities")
              .putObject("resume");
        }
        case "session/new" -> {
          folder = Path.of(message.at("/params/cwd").asText());
          result.put("sessionId", "s-1");
        }
        case "session/resume" -> {
          folder = Path.of(message.at("/params/cwd").asText());
          Files.writeString(folder.resolve("resumed"), message.at("/params/sessionId").asText());
        }
        case "session/prompt" ->
            result.put("stopReason", prompt(message.at("/params/prompt/0/text").asText()));
        default -> {
          continue;
        }
      }
      ObjectNode answer = MAPPER.createObjectNode().put("jsonrpc", "2.0");
      answer.set("id", message.get("id"));
      answer.set("result", result);
      out.println(answer);
    }
  }

  private String prompt(String text) throws IOException {
    note("prompts", text);
    String[] words = text.lines().reduce((first, last) -> last).orElse("").split(" ", 2);
    return switch (words[0]) {
      case "make" -> make(words[1]);
      case "sneak" -> {
        note(words[1], "made");
        tool("completed", words[1]);
        yield "end_turn";
      }
      case "die" -> {
        Runtime.getRuntime().halt(3);
        yield "";
      }
      case "wait" -> {
        say("waiting");
        while (!read().orElseThrow().path("method").asText().equals("session/cancel")) {
          // Goes on.
        }
        say("stopped");
        yield "cancelled";
      }
      default -> {
        say(text);
        yield "end_turn";
      }
    };
  }

  private String make(String name) throws IOException {
    calls++;
    tool("pending", name);
    ObjectNode request = MAPPER.createObjectNode().put("jsonrpc", "2.0").put("id", calls);
    ObjectNode params =
        request
            .put("method", "session/request_permission")
            .putObject("params")
            .put("sessionId", "s-1");
    params
        .putObject("toolCall")
        .put("toolCallId", "call-" + calls)
        .put("title", "make " + name)
        .put("kind", "execute")
        .putObject("rawInput")
        .put("command", "touch " + name);
    params
        .putArray("options")
        .addObject()
        .put("optionId", "yes")
        .put("name", "Yes")
        .put("kind", "allow_once");
    params
        .withArray("options")
        .addObject()
        .put("optionId", "no")
        .put("name", "No")
        .put("kind", "reject_once");
    out.println(request);
    while (true) {
      JsonNode message = read().orElseThrow();
      if (message.path("method").asText().equals("session/cancel")) {
        return "cancelled";
      }
      if (message.path("id").asInt() == calls && message.has("result")) {
        if (message.at("/result/outcome/optionId").asText().equals("yes")) {
          note(name, "made");
          tool("completed", name);
          say("made " + name);
        } else {
          tool("failed", name);
          say("not made");
        }
        return "end_turn";
      }
    }
  }

  private void note(String file, String line) throws IOException {
    Files.writeString(
        folder.resolve(file), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void tool(String status, String name) {
    ObjectNode update =
        update(status.equals("pending") ? "tool_call" : "tool_call_update")
            .put("toolCallId", "call-" + calls)
            .put("title", "make " + name)
            .put("kind", "execute")
            .put("status", status);
    send(update);
  }

  private void say(String text) {
    ObjectNode update = update("agent_message_chunk");
    update.putObject("content").put("type", "text").put("text", text);
    send(update);
  }

  private static ObjectNode update(String variant) {
    return MAPPER.createObjectNode().put("sessionUpdate", variant);
  }

  private void send(ObjectNode update) {
    ObjectNode message =
        MAPPER.createObjectNode().put("jsonrpc", "2.0").put("method", "session/update");
    message.putObject("params").put("sessionId", "s-1").set("update", update);
    out.println(message);
  }

  private Optional<JsonNode> read() throws IOException {
    String line = in.readLine();
    return line == null ? Optional.empty() : Optional.of(MAPPER.readTree(line));
  }
}
