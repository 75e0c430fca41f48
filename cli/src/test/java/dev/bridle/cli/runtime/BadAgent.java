package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/**
 * An agent that breaks its protocol as its prompt says: {@code noise} writes what is no message,
 * {@code long} a line of 100 MB, {@code half} dies in the middle of a message, {@code twice}
 * answers twice and answers what nobody asked, {@code zero} asks under the id 0 and under an id
 * that is in use, {@code flood} writes updates without end, {@code deaf} reads nothing any more.
 */
public final class BadAgent {
  private static final String EARLIER = "What to do now:\n\n";

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String PIECE = "noise ".repeat(200_000);
  private static final int PIECES = 100;

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private BadAgent() {}

  /** Speaks ACP on standard input and output, more or less. */
  public static void main(String[] args) throws IOException {
    new BadAgent().serve();
  }

  private void serve() throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode message = MAPPER.readTree(line);
      switch (message.path("method").asText()) {
        case "initialize" -> answer(message, "{\"protocolVersion\":1,\"agentCapabilities\":{}}");
        case "session/new" -> answer(message, "{\"sessionId\":\"b-1\"}");
        case "session/prompt" -> prompted(message);
        default -> {}
      }
    }
  }

  private static int after(String text) {
    return text.lastIndexOf(EARLIER) + EARLIER.length();
  }

  private void prompted(JsonNode message) throws IOException {
    String text = message.at("/params/prompt/0/text").asText();
    // Before it, there may be what was said earlier.
    switch (text.contains(EARLIER) ? text.substring(after(text)) : text) {
      case "noise" -> {
        out.println("Listening on port 3 …\n[]\n{\"a\":\n\u0000\u0001\n{\"jsonrpc\":\"1.0\"}");
        ended(message);
      }
      case "long" -> {
        out.print("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":\"");
        for (int i = 0; i < PIECES; i++) {
          out.print(PIECE);
        }
        out.println("\"}");
        ended(message);
      }
      case "half" -> {
        out.print("{\"jsonrpc\":\"2.0\",\"method\":\"session/up");
        out.flush();
        Runtime.getRuntime().halt(1);
      }
      case "twice" -> {
        out.println("{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{}}");
        ended(message);
        ended(message);
      }
      case "zero" -> {
        ask(0);
        ask(0);
        in.readLine();
        in.readLine();
        ended(message);
      }
      case "flood" -> {
        while (!out.checkError()) {
          update("again and again ");
        }
      }
      case "deaf" -> {
        while (true) {
          LockSupport.park();
        }
      }
      default -> {
        update("fine");
        ended(message);
      }
    }
  }

  private void ask(int id) {
    out.println(
        "{\"jsonrpc\":\"2.0\",\"id\":"
            + id
            + ",\"method\":\"acme/ask\",\"params\":{\"sessionId\":\"b-1\"}}");
  }

  private void update(String text) {
    out.println(
        "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"b-1\","
            + "\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\","
            + "\"text\":\""
            + text
            + "\"}}}}");
  }

  private void ended(JsonNode message) {
    answer(message, "{\"stopReason\":\"end_turn\"}");
  }

  private void answer(JsonNode message, String result) {
    out.println("{\"jsonrpc\":\"2.0\",\"id\":" + message.get("id") + ",\"result\":" + result + "}");
  }
}
