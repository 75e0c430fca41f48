package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.Listing;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.StreamEvent;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints tasks and events: a line of text each, or the JSON as received. */
final class TaskOutput {
  private final PrintWriter out;
  private final boolean json;

  TaskOutput(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  void task(JsonNode task) {
    if (json) {
      print(task.toString());
      return;
    }
    print(line(task));
  }

  /** Returns a list with the columns of tasks. */
  Listing listing() {
    return new Listing(out, json, "ID", "STATUS", "CREATED AT", "SESSION", "FAILURE");
  }

  /** Adds a task as a row of a list. */
  void add(Listing list, JsonNode task) {
    list.add(
        json ? task.toString() : line(task),
        text(task, "id"),
        text(task, "status"),
        text(task, "created_at"),
        text(task, "session_id"),
        failure(task));
  }

  private static String line(JsonNode task) {
    String line =
        String.format(
            "%s  %-14s  %s  %s",
            text(task, "id"),
            text(task, "status"),
            text(task, "created_at"),
            text(task, "session_id"));
    return failure(task).isEmpty() ? line : line + "  " + failure(task);
  }

  private static String failure(JsonNode task) {
    return ShownText.line(task.path("failure").path("message").asText(""));
  }

  void event(StreamEvent event) {
    print(json ? event.body().toString() : line(event));
  }

  void outcome(JsonNode outcome) {
    if (json) {
      print(outcome.toString());
      return;
    }
    print(text(outcome, "status") + ": " + text(outcome, "summary"));
    for (JsonNode artifact : outcome.path("artifacts")) {
      print("artifact " + text(artifact, "id") + " (" + text(artifact, "mime_type") + ")");
    }
  }

  /** Formats an event as one line: time, sequence number, kind and summary. */
  static String line(StreamEvent event) {
    JsonNode payload = event.body().path("payload");
    String says = "";
    for (String member : new String[] {"text", "message", "question", "prompt", "summary"}) {
      says = says.isEmpty() ? payload.path(member).asText("") : says;
    }
    return String.format(
            Locale.ROOT,
            "%s  %4d  %-28s %s",
            event.body().path("created_at").asText("").replaceAll(".*T(.*)Z", "$1"),
            event.sequence(),
            ShownText.line(event.kind()),
            ShownText.line(says))
        .stripTrailing();
  }

  private static String text(JsonNode resource, String member) {
    return ShownText.line(resource.path(member).asText(""));
  }

  private void print(String line) {
    out.println(line);
    out.flush();
  }
}
