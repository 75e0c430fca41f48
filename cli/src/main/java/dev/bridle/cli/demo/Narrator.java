package dev.bridle.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.StreamEvent;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints the steps of the demonstration as text or as JSON lines. */
final class Narrator {
  private final PrintWriter out;
  private final boolean json;
  private final long begin = System.nanoTime();

  Narrator(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  void note(String text) {
    print(json ? line("note").put("text", text).toString() : stamp() + text);
  }

  synchronized void event(StreamEvent event) {
    if (json) {
      ObjectNode line = line("event");
      line.set("event", event.body());
      print(line.toString());
      return;
    }
    JsonNode payload = event.body().path("payload");
    String says = payload.path("text").asText(payload.path("prompt").asText(""));
    String task = event.taskId();
    print(
        String.format(
                Locale.ROOT,
                "           %-10s #%-3d %-28s %s",
                task.isEmpty() ? "session" : "…" + task.substring(Math.max(0, task.length() - 6)),
                event.sequence(),
                event.kind(),
                says)
            .stripTrailing());
  }

  void check(String text, boolean holds) {
    print(
        json
            ? line("check").put("text", text).put("holds", holds).toString()
            : "  " + (holds ? "ok      " : "FAILED  ") + text);
  }

  private synchronized void print(String text) {
    out.println(text);
    out.flush();
  }

  private static ObjectNode line(String kind) {
    return JsonLines.object().put("kind", kind);
  }

  private String stamp() {
    return String.format(Locale.ROOT, "[%5.2f s]  ", (System.nanoTime() - begin) / 1e9);
  }
}
