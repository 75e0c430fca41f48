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

/**
 * An agent that plays frames: a prompt names a file of its folder, whose lines it sends. A line
 * {@code ~ NAME} waits for a file of that name, and {@code ?} waits for the answer to the last
 * request, whose result it adds to the file {@code answers}.
 */
public final class FramesAgent {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private Path folder = Path.of("");

  private FramesAgent() {}

  /** Speaks ACP on standard input and output. */
  public static void main(String[] args) throws IOException {
    new FramesAgent().serve();
  }

  private void serve() throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode message = MAPPER.readTree(line);
      ObjectNode result = MAPPER.createObjectNode();
      switch (message.path("method").asText()) {
        case "initialize" ->
            result
                .put("protocolVersion", 1)
                .putObject("agentInfo")
                .put("name", "Frames")
                .put("version", "1");
        case "session/new" -> {
          folder = Path.of(message.at("/params/cwd").asText());
          result.put("sessionId", "s1");
        }
        case "session/prompt" -> {
          play(message.at("/params/prompt/0/text").asText());
          result.put("stopReason", "end_turn");
        }
        default -> {
          continue;
        }
      }
      ObjectNode answer = MAPPER.createObjectNode().put("jsonrpc", "2.0");
      answer.set("id", message.get("id"));
      out.println(answer.set("result", result).toString());
    }
  }

  private void play(String prompt) throws IOException {
    Path file = folder.resolve(prompt);
    if (!Files.isRegularFile(file)) {
      return; // It is told why something was refused.
    }
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("~")) {
        AwaitedFile.await(folder.resolve(line.substring(1).strip()));
      } else if (line.startsWith("?")) {
        JsonNode message = MAPPER.readTree(in.readLine());
        while (!message.has("result") && !message.has("error")) {
          message = MAPPER.readTree(in.readLine());
        }
        Files.writeString(
            folder.resolve("answers"),
            message.path("result") + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      } else if (!line.isBlank()) {
        out.println(line);
      }
    }
  }
}
