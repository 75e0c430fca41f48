package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A daemon as the Harn bridge has them: it never answers its prompt, says that it is idle after
 * each turn, ever more slowly, and takes what is next as messages. A prompt {@code listen} goes on
 * until a message of the user comes; {@code skills} lists the host's skills, {@code fetch ID} shows
 * one, {@code match NAME TEXT} has one ranked for a text; {@code search TEXT} has the host choose
 * among the tools {@code deploy} and {@code query}; {@code notices} notifies output, progress and a
 * log entry; others are repeated.
 */
final class DaemonAgent {
  private static final List<Integer> BACKOFF_MILLIS = List.of(100, 500, 1000, 2000);

  private final AgentWire wire = new AgentWire();
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
    AgentWire.serve(new DaemonAgent()::take);
  }

  private synchronized void take(JsonNode message) {
    JsonNode params = message.path("params");
    switch (message.path("method").asText()) {
      case "initialize" -> {
        ObjectNode result = AgentWire.object().put("protocolVersion", 1);
        result.putObject("agentCapabilities").putObject("_meta").putObject("harn");
        wire.answer(message.get("id"), result);
      }
      case "session/new" ->
          wire.answer(message.get("id"), AgentWire.object().put("sessionId", "d-1"));
      case "session/prompt" -> prompted(params.at("/prompt/0/text").asText());
      case "user_message" -> heard(params.path("content").asText(), params.path("mode").asText());
      case "agent/resume" -> {
        say("woken");
        idle();
      }
      case "session/cancel" -> idle();
      case "skills/update" -> say("skills have changed");
      default -> {
        if (message.path("id").asText().equals("search")) {
          say("search " + message.path(message.has("error") ? "error" : "result"));
          idle();
        } else if (message.has("result")) {
          JsonNode result = message.get("result");
          say(result.isObject() ? "skill " + result : "skills " + result.size());
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
      wire.request("skills", "skills/list", AgentWire.object());
    } else if (text.startsWith("fetch ")) {
      wire.request("fetch", "skills/fetch", AgentWire.object().put("id", text.substring(6)));
    } else if (text.startsWith("match ")) {
      String[] words = text.split(" ", 3);
      ObjectNode params = AgentWire.object().put("strategy", "host").put("prompt", words[2]);
      params.putArray("candidates").addObject().put("name", words[1]);
      wire.request("match", "skill/match", params);
    } else if (text.startsWith("search ")) {
      ObjectNode params =
          AgentWire.object().put("strategy", "host").put("query", text.substring(7));
      params.putArray("candidates").add("deploy").add("query");
      wire.request("search", "tool_search/query", params);
    } else if (text.equals("notices")) {
      wire.notify("output", AgentWire.object().put("text", "half done"));
      wire.notify("progress", AgentWire.object().put("done", 1));
      wire.notify("log", AgentWire.object().put("level", "info").put("message", "hot"));
      say("noticed");
      idle();
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
    wire.say("d-1", text);
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
    wire.notify(
        "agent/idle", AgentWire.object().put("iteration", iteration).put("backoff_ms", backoff));
    var unused = timer.schedule(() -> idle(of, iteration + 1), backoff, TimeUnit.MILLISECONDS);
  }
}
