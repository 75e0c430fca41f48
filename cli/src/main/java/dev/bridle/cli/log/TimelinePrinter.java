package dev.bridle.cli.log;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.Rows;
import dev.bridle.cli.console.ShownText;
import java.io.PrintWriter;

/** Prints the lines of a timeline, and texts that are not ours behind a bar. */
final class TimelinePrinter {
  private final PrintWriter out;
  private final Rows rows;

  TimelinePrinter(PrintWriter out) {
    this.out = out;
    this.rows = Rows.of(out);
  }

  void flush() {
    out.flush();
  }

  void line(String at, String what) {
    print(at + "  " + what);
  }

  void print(String line) {
    rows.of("", line).forEach(out::println);
  }

  /** Prints a text that is not ours; each of its rows stands behind a bar. */
  void block(String text) {
    text.lines()
        .forEach(
            line ->
                rows.of(Rows.BAR, ShownText.line(line.replace("\t", "  "))).forEach(out::println));
  }

  void members(JsonNode object) {
    object
        .properties()
        .forEach(
            member -> {
              String name = member.getKey() + ": ";
              JsonNode value = member.getValue();
              block(name + (value.isTextual() ? value.textValue() : value.toString()));
            });
  }

  /** Prints what a tool call gave back. */
  void output(JsonNode payload) {
    for (JsonNode part : payload.path("output")) {
      switch (part.path("type").asText()) {
        case "text" -> cut(part);
        case "raw" -> {
          if (part.has("value")) {
            block(part.get("value").toString());
          } else {
            cut(part);
          }
        }
        case "diff" -> {
          block("--- " + part.path("path").asText());
          cut(part);
        }
        default -> block(part.toString());
      }
    }
  }

  /** Prints a text that may be cut, with what is known of the rest. */
  void cut(JsonNode part) {
    block(part.path("text").asText());
    if (part.has("bytes")) {
      print(
          Rows.BAR
              + "⟨… of "
              + part.path("bytes").asLong()
              + " bytes, "
              + text(part, "sha256")
              + "⟩");
      block(part.path("tail").asText());
    }
  }

  /** Returns a member's text, safe to print. */
  static String text(JsonNode object, String member) {
    return ShownText.line(object.path(member).asText(""));
  }
}
