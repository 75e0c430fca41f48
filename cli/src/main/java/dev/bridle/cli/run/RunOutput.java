package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.Rows;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.console.TerminalWriter;
import dev.bridle.cli.rest.StreamEvent;
import dev.bridle.host.acp.Initialized;
import dev.bridle.host.process.Isolation;
import dev.bridle.host.task.HostEvents;
import dev.bridle.host.task.Introductions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/**
 * Prints what happens: the agent's words and acts behind bars, and lines of Bridle. With JSON, the
 * events as received on {@code out}, and nothing else there.
 */
final class RunOutput implements Introductions {
  private static final int MOST_FAILURE_LINES = 20;

  private final PrintWriter out;
  private final PrintWriter notices;
  private final boolean json;
  private final Rows rows;

  /** The columns of the row of the agent's text that is not ended; 0 if there is none. */
  private int at;

  /**
   * Creates the output.
   *
   * @param notices for lines of Bridle with JSON
   * @param rows breaks lines
   */
  RunOutput(PrintWriter out, PrintWriter notices, boolean json, Rows rows) {
    this.out = out;
    this.notices = json ? notices : out;
    this.json = json;
    this.rows = rows;
  }

  /** Prints a line of Bridle. */
  synchronized void note(String line) {
    endLine();
    rows.of("", "bridle: " + line).forEach(notices::println);
    notices.flush();
  }

  /** Prints lines of Bridle as they are, such as those of a QR code. */
  synchronized void lines(List<String> lines) {
    endLine();
    lines.forEach(notices::println);
    notices.flush();
  }

  /** Returns whether a person sees the lines of Bridle at a terminal. */
  boolean isTerminal() {
    return notices instanceof TerminalWriter;
  }

  /** Says which lines were typed too early for the question that is shown. */
  void unsent(List<String> lines) {
    lines.stream()
        .filter(line -> !line.isEmpty())
        .forEach(line -> note("not sent, since it was typed before this: " + ShownText.line(line)));
  }

  @Override
  public void awaited(Duration limit) {
    note("the agent is still starting; it has " + limit.toSeconds() + " s to introduce itself");
  }

  @Override
  public void introduced(Initialized agent) {
    String who = ShownText.line((agent.name() + " " + agent.version()).strip());
    note("the agent is " + (who.isEmpty() ? "one without a name" : who));
  }

  /** Says what is promised of the agent, before it does anything. */
  void promises(boolean asks, Isolation isolation, int withheld) {
    note(
        asks
            ? "it is made to ask before each command and edit"
            : "nothing is known about this agent: it may act WITHOUT asking");
    note("isolation: " + isolation.tier().promise());
    if (!isolation.tier().hidesFiles()) {
      note("WARNING: " + isolation.tier().limits());
    }
    note(withheld + " variables of your environment are withheld from it");
  }

  /** Prints an event of a task. */
  synchronized void event(StreamEvent event) {
    if (json) {
      out.println(ShownText.json(event.body().toString()));
      out.flush();
      return;
    }
    JsonNode payload = event.body().path("payload");
    switch (event.kind()) {
      case HostEvents.TEXT -> {
        if (payload.path("offset").asLong() == 0) {
          endLine(); // Another message.
        }
        text(payload.path("text").asText());
      }
      case HostEvents.CONTENT -> text(payload.path("text").asText());
      case "agent.tool_use" -> {
        if (!HostEvents.ENDED.contains(payload.path("status").asText())) { // The result says it.
          tool(payload);
        }
      }
      case HostEvents.TOOL_CALL -> tool(payload);
      case HostEvents.TOOL_RESULT -> {
        tool(payload);
        BriefOutput.lines(payload).forEach(line -> rows.of(Rows.BAR, line).forEach(out::println));
      }
      case "vendor.agent_host.restarted" ->
          note(
              "the agent ended and is started again: " + shown(payload, "reason") + ended(payload));
      case HostEvents.QUESTION_REJECTED ->
          note("nobody was asked what the agent asked for: " + shown(payload, "reason"));
      case HostEvents.OUTCOME_UNKNOWN ->
          note("nobody knows whether this was done: " + shown(payload, "title"));
      case "task.failed" -> failed(payload.path("failure"));
      case "task.canceled" -> note("canceled");
      case "task.completed" -> endLine();
      default -> {}
    }
    out.flush();
  }

  /** Continues the agent's text; each row stands behind a bar. */
  private void text(String text) {
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      if (i > 0) {
        beginRow();
        endLine();
      }
      String piece = lines[i].replace("\t", "  ").replace("\r", "");
      ShownText.piece(piece).codePoints().forEach(this::add);
    }
  }

  private void beginRow() {
    if (at == 0) {
      out.print(Rows.BAR);
      at = Rows.width(Rows.BAR);
    }
  }

  private void add(int point) {
    if (at > 0 && !rows.hasRoom(at, point)) {
      endLine();
    }
    beginRow();
    out.print(Character.toString(point));
    at += Rows.width(point);
  }

  private void tool(JsonNode payload) {
    endLine();
    String status = shown(payload, "status");
    rows.of("  · ", shown(payload, "title") + (status.isEmpty() ? "" : "  [" + status + "]"))
        .forEach(out::println);
  }

  private static String ended(JsonNode payload) {
    return payload.has("exit_code")
        ? ", exit code " + payload.get("exit_code").asInt()
        : payload.has("signal") ? ", signal " + payload.get("signal").asInt() : "";
  }

  /** The lines of a message that has several, such as the agent's stderr, stand behind bars. */
  private void failed(JsonNode failure) {
    List<String> lines = failure.path("message").asText("").lines().toList();
    String first = lines.isEmpty() ? "" : ShownText.line(lines.get(0));
    note("failed, " + shown(failure, "code") + ": " + first);
    int from = Math.max(1, lines.size() - MOST_FAILURE_LINES);
    if (from < lines.size()) {
      lines
          .subList(from, lines.size())
          .forEach(
              line ->
                  rows.of(Rows.BAR, ShownText.line(line.replace("\t", "  ")))
                      .forEach(notices::println));
    }
  }

  private static String shown(JsonNode payload, String member) {
    return ShownText.line(payload.path(member).asText(""));
  }

  private void endLine() {
    if (at > 0) {
      out.println();
      at = 0;
    }
  }

  /** Prints a question in a frame: what exactly the agent wants to do. */
  synchronized void question(List<String> lines) {
    endLine();
    notices.println("┌─ the agent asks");
    lines.forEach(line -> rows.of(Rows.BAR, line).forEach(notices::println));
    notices.println("└─");
    notices.flush();
  }

  /** Prints what stands before what a person types. */
  synchronized void prompt(String text) {
    endLine();
    notices.print(text);
    notices.flush();
  }
}
