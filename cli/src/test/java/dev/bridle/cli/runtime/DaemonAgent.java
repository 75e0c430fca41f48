package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A daemon as the Harn bridge has them: it never answers its prompt, says that it is idle after
 * each turn, ever more slowly, and takes what is next as messages. A prompt {@code listen} goes on
 * until a message of the user comes; {@code skills} lists the host's skills; others are repeated.
 */
final class DaemonAgent {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<Integer> BACKOFF_MILLIS = List.of(100, 500, 1000, 2000);

  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "idle");
            thread.setDaemon(true);
            return thread;
          });
  private int round;
  private boolean listening;
  private boolean works = true;

  private DaemonAgent() {}

  /** Speaks ACP and the bridge on standard input and output. */
  public static void main(String[] args) throws IOException {
    new DaemonAgent().serve();
  }

  private void serve() throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      take(MAPPER.readTree(line));
    }
  }

  private synchronized void take(JsonNode message) {
    JsonNode params = message.path("params");
    switch (message.path("method").asText()) {
      case "initialize" -> {
        ObjectNode result = MAPPER.createObjectNode().put("protocolVersion", 1);
        result.putObject("agentCapabilities").putObject("_meta").putObject("harn");
        send(MAPPER.createObjectNode().<ObjectNode>set("id", message.get("id")), "result", result);
      }
      case "session/new" ->
          send(
              MAPPER.createObjectNode().<ObjectNode>set("id", message.get("id")),
              "result",
              MAPPER.createObjectNode().put("sessionId", "d-1"));
      case "session/prompt" -> prompted(params.at("/prompt/0/text").asText());
      case "user_message" -> heard(params.path("content").asText(), params.path("mode").asText());
      case "agent/resume" -> {
        say("woken");
        idle();
      }
      case "session/cancel" -> idle();
      case "skills/update" -> say("skills have changed");
      default -> {
        if (message.has("result")) {
          say("skills " + message.get("result").size());
          idle();
        }
      }
    }
  }

  private void prompted(String text) {
    works = true;
    if (text.equals("listen")) {
      listening = true;
      say("listening");
    } else if (text.equals("skills")) {
      send(
          MAPPER.createObjectNode().put("id", "skills").put("method", "skills/list"),
          "params",
          MAPPER.createObjectNode());
    } else {
      say("did " + text);
      idle();
    }
  }

  private void heard(String text, String mode) {
    if (listening) {
      listening = false;
      say("heard " + text + " " + mode);
      idle();
    } else {
      prompted(text);
    }
  }

  private void say(String text) {
    ObjectNode params = MAPPER.createObjectNode().put("sessionId", "d-1");
    params
        .putObject("update")
        .put("sessionUpdate", "agent_message_chunk")
        .putObject("content")
        .put("type", "text")
        .put("text", text);
    send(MAPPER.createObjectNode().put("method", "session/update"), "params", params);
  }

  private void idle() {
    works = false;
    round++;
    idle(round, 1);
  }

  /** Says so again after each pause, until there is something to do. */
  private synchronized void idle(int of, int iteration) {
    if (works || of != round) {
      return;
    }
    int backoff = BACKOFF_MILLIS.get(Math.min(iteration, BACKOFF_MILLIS.size()) - 1);
    send(
        MAPPER.createObjectNode().put("method", "agent/idle"),
        "params",
        MAPPER.createObjectNode().put("iteration", iteration).put("backoff_ms", backoff));
    var unused = timer.schedule(() -> idle(of, iteration + 1), backoff, TimeUnit.MILLISECONDS);
  }

  private void send(ObjectNode message, String member, ObjectNode value) {
    message.put("jsonrpc", "2.0").set(member, value);
    out.println(message);
  }
}
