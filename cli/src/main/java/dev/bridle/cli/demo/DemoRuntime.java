package dev.bridle.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The hosted agent of the demonstration: a program of its own that speaks the Agent Client
 * Protocol. It asks whether it may run a shell command, runs it once it may, and is slow to report
 * that, so that it can be killed in between. One that is started again looks before it repeats
 * anything.
 */
public final class DemoRuntime {
  /** The file that it adds a line to, in the folder it works in. */
  static final String FILE = "published.txt";

  private static final String SESSION = "demo";
  private static final String CALL = "publish";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private Path file = Path.of(FILE);

  private DemoRuntime() {}

  /** Speaks the protocol on standard input and output until the input ends. */
  public static void main(String[] arguments) throws IOException {
    new DemoRuntime().serve();
  }

  private void serve() throws IOException {
    for (Optional<JsonNode> next = read(); next.isPresent(); next = read()) {
      JsonNode request = next.get();
      ObjectNode result = object();
      switch (request.path("method").asText()) {
        case "initialize" -> {
          result.put("protocolVersion", 1);
          result.putObject("agentInfo").put("name", "demo-runtime").put("version", "1");
          result
              .putObject("agentCapabilities")
              .putObject("sessionCapabilities")
              .putObject("resume");
        }
        case "session/new", "session/resume" -> {
          file = Path.of(request.at("/params/cwd").asText(), FILE);
          result.put("sessionId", SESSION);
        }
        case "session/prompt" -> result.put("stopReason", publish(request));
        default -> {
          continue;
        }
      }
      ObjectNode answer = object();
      answer.set("id", request.get("id"));
      send(answer.set("result", result));
    }
  }

  private String publish(JsonNode request) throws IOException {
    if (Files.exists(file)) {
      say("The line is there already, so I don't write it again.");
      return "end_turn";
    }
    String text = request.at("/params/prompt/0/text").asText();
    String command = "echo '" + text.replace("'", "'\\''") + "' >> " + FILE;
    ObjectNode call = object().put("toolCallId", CALL).put("title", command).put("kind", "execute");
    call.putObject("rawInput").put("command", command);
    update(call.deepCopy().put("sessionUpdate", "tool_call").put("status", "pending"));
    if (!allowed(call)) {
      say("I may not publish it.");
      return "end_turn";
    }
    run(command);
    say("The line is written.");
    return waitForCancel();
  }

  private void run(String command) throws IOException {
    Process shell =
        new ProcessBuilder("sh", "-c", command).directory(file.getParent().toFile()).start();
    try {
      int code = shell.waitFor();
      if (code != 0) {
        throw new IOException("The command has failed: " + code);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean allowed(ObjectNode call) throws IOException {
    ObjectNode params = object().put("sessionId", SESSION);
    params.set("toolCall", call);
    var options = params.putArray("options");
    options.addObject().put("optionId", "yes").put("name", "Allow").put("kind", "allow_once");
    options.addObject().put("optionId", "no").put("name", "Reject").put("kind", "reject_once");
    send(object().put("id", 1).put("method", "session/request_permission").set("params", params));
    for (Optional<JsonNode> next = read(); next.isPresent(); next = read()) {
      if (next.get().path("id").asInt() == 1 && next.get().has("result")) {
        return next.get().at("/result/outcome/optionId").asText().equals("yes");
      }
    }
    return false;
  }

  private String waitForCancel() throws IOException {
    Optional<JsonNode> next = read();
    while (next.isPresent() && !next.get().path("method").asText().equals("session/cancel")) {
      next = read();
    }
    return "cancelled";
  }

  private void say(String text) {
    ObjectNode chunk = object().put("sessionUpdate", "agent_message_chunk");
    chunk.putObject("content").put("type", "text").put("text", text);
    update(chunk);
  }

  private void update(ObjectNode update) {
    ObjectNode params = object().put("sessionId", SESSION);
    params.set("update", update);
    send(object().put("method", "session/update").set("params", params));
  }

  private void send(ObjectNode message) {
    out.println(message.put("jsonrpc", "2.0"));
  }

  private Optional<JsonNode> read() throws IOException {
    String line = in.readLine();
    return line == null ? Optional.empty() : Optional.of(MAPPER.readTree(line));
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
