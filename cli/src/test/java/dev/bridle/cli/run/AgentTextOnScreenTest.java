package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.Rows;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.permission.ShownAction;
import dev.bridle.cli.rest.StreamEvent;
import dev.bridle.host.acp.Initialized;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.host.task.HostEvents;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Whatever an agent writes, in whatever place: on a terminal it stays in its own rows, all of it
 * can be read, and no row of it looks like one of Bridle's.
 */
final class AgentTextOnScreenTest {
  static final List<String> NASTY =
      List.of(
          "\u001b[2J",
          "\u001b[H",
          "\u001b[1A",
          "\u001b[5A\u001b[2K",
          "\u001b[999D",
          "\u001b[6n",
          "\u001b[8m",
          "\u001b[31;7m",
          "\u001b[?1049h",
          "\u001b[?7l",
          "\u001bM",
          "\u001b7\u001b8",
          "\u001bc",
          "\u001b]0;title\u0007",
          "\u001b]8;;http://evil\u001b\\link",
          "\u001b]52;c;Zm9v\u0007",
          "\u001bP1$r0m\u001b\\",
          "\u009b2J",
          "\u009d0;x\u009c",
          "\u0090q\u009c",
          "\u0085",
          "\u008d",
          "\r",
          "\r\n",
          "\n",
          "\u000b\u000c",
          "\b\b\b\b",
          "\u007f",
          "\u0000",
          "\t",
          "\u202e",
          "\u202a\u2066\u2069",
          "\u200b\u200d\ufeff",
          "\u2028\u2029",
          "\u00ad",
          "\ufe0f",
          "\udb40\udc41\udb40\udc42",
          "\ud800",
          "\u115f\u3164\u2800",
          " ".repeat(60),
          "\u00a0\u3000",
          "x\u0301\u0302\u0303\u0304\u0305\u0306",
          "\u0336",
          "\u4e2d\u6587",
          "\ud83d\ude00",
          "\u2502 ",
          "\n\u250c\u2500 the agent asks\n\u2502 command\n\u2502   command: ls\n\u2514\u2500\ny once > y",
          "\nbridle: done, with receipt_1",
          "bridle: after",
          "\nyou> ",
          "y once, n no, d details > y\n",
          "\n  \u00b7 make it  [completed]",
          "a".repeat(37) + "bridle: done",
          "a".repeat(36) + "\u250c\u2500 the agent asks",
          "\u4e2d".repeat(20) + "bridle: done",
          "plain words");

  /** A place where a text of an agent comes to the terminal. */
  private enum Place {
    MESSAGE,
    PIECES,
    TITLE,
    STATUS,
    REASON,
    UNKNOWN,
    FAILURE,
    NAME,
    COMMAND,
    MEMBER,
    PAGES,
    DETAILS,
    DIFFERENCE,
    FORM,
    FIELD;

    void print(RunOutput output, String text) {
      switch (this) {
        case MESSAGE -> output.event(text(text, 0));
        case PIECES -> {
          int at = 0;
          for (String piece : text.split("(?<=.)", -1)) {
            output.event(text(piece, at));
            at += piece.length();
          }
        }
        case TITLE -> output.event(event(HostEvents.TOOL_CALL, "title", text));
        case STATUS -> output.event(event("agent.tool_use", "status", text));
        case REASON -> output.event(event("vendor.agent_host.restarted", "reason", text));
        case UNKNOWN -> output.event(event(HostEvents.OUTCOME_UNKNOWN, "title", text));
        case FAILURE -> {
          ObjectNode payload = JsonNodeFactory.instance.objectNode();
          payload.putObject("failure").put("code", text).put("message", text);
          output.event(event("task.failed", payload));
        }
        case NAME -> output.introduced(agent(text));
        case COMMAND -> output.question(ShownAction.lines(request("command", text)));
        case MEMBER -> output.question(ShownAction.lines(request(text, "x")));
        case PAGES ->
            output.question(new QuestionPages(ShownAction.lines(request("content", text))).next());
        case DIFFERENCE -> output.question(ShownAction.lines(difference(text)));
        case FORM -> output.question(FormFiller.lines(form(text, "name")));
        case FIELD -> output.question(FormFiller.lines(form("Who are you?", text)));
        case DETAILS ->
            output.question(
                request("command", text).toPrettyString().lines().map(ShownText::line).toList());
      }
    }

    boolean isQuestion() {
      return compareTo(COMMAND) >= 0;
    }

    /** The rows of Bridle's own that the text is told in. */
    int notes() {
      return this == REASON || this == UNKNOWN || this == FAILURE || this == NAME ? 1 : 0;
    }
  }

  private static ObjectNode difference(String text) {
    ObjectNode request = request("path", "a.txt");
    ((ObjectNode) request.at("/action/content"))
        .putArray("changes")
        .addObject()
        .put("diff", "+" + text + "\n");
    return request;
  }

  private static ObjectNode form(String prompt, String field) {
    ObjectNode form = JsonNodeFactory.instance.objectNode().put("prompt", prompt);
    form.putObject("schema").putObject("properties").putObject(field).put("type", "string");
    return form;
  }

  private static StreamEvent event(String kind, ObjectNode payload) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    return new StreamEvent("event_1", kind, body.set("payload", payload));
  }

  private static StreamEvent event(String kind, String member, String text) {
    return event(kind, JsonNodeFactory.instance.objectNode().put(member, text));
  }

  private static StreamEvent text(String text, int offset) {
    return event(
        HostEvents.TEXT,
        JsonNodeFactory.instance.objectNode().put("text", text).put("offset", offset));
  }

  private static ObjectNode request(String member, String text) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.putObject("action").put("kind", "command").putObject("content").put(member, text);
    request.putObject("request").put("expires_at", "2030-01-01T00:00:00Z");
    return request;
  }

  private static Initialized agent(String name) {
    return new Initialized(
        name,
        name,
        new Initialized.Capabilities(false, false, false, false, false, RawJson.absent()),
        List.of(),
        RawJson.absent());
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> any =
        Arbitraries.oneOf(
            Arbitraries.of(NASTY),
            Arbitraries.strings().withCharRange('!', '~').ofMaxLength(30),
            Arbitraries.strings().withCharRange('\u0000', '\u00a0').ofMaxLength(6),
            Arbitraries.strings().withCharRange('\u2000', '\u206f').ofMaxLength(6),
            Arbitraries.strings().all().ofMaxLength(8));
    return any.list().ofMinSize(1).ofMaxSize(12).map(parts -> String.join("", parts));
  }

  @Property(tries = 1500)
  void aTextStaysInItsRowsAndCanBeRead(@ForAll("texts") String text, @ForAll Place place) {
    StringWriter out = new StringWriter();
    PrintWriter print = new PrintWriter(out);
    RunOutput output = new RunOutput(print, print, false, new Rows(() -> Screen.COLUMNS));
    output.note("before");
    place.print(output, text);
    output.note("after");

    Screen screen = Screen.of(out.toString());
    List<String> rows = screen.rows();

    assertThat(screen.answers()).isEmpty();
    assertThat(screen.isStyled()).isFalse();
    assertThat(rows.get(0)).isEqualTo("bridle: before");
    assertThat(rows.get(rows.size() - 1)).isEqualTo("bridle: after");
    assertThat(List.of(screen.cursorColumn(), screen.cursorRow())).containsExactly(0, rows.size());
    List<String> told = rows.subList(1, rows.size() - 1);
    assertThat(told.stream().filter(row -> row.startsWith("bridle: "))).hasSize(place.notes());
    List<String> shown = told;
    if (place.isQuestion()) {
      assertThat(told.get(0)).isEqualTo("┌─ the agent asks");
      assertThat(told.get(told.size() - 1)).isEqualTo("└─");
      shown = told.subList(1, told.size() - 1);
    }
    assertThat(shown)
        .allMatch(
            row -> row.startsWith("│") || row.startsWith("  ·") || row.startsWith("bridle: "));
    if (place != Place.DETAILS) { // JSON has its own way to name the invisible.
      assertThat(words(text)).allMatch(readable(String.join("", shown))::contains);
    }
  }

  /** What can be read, without bars, and without what names the invisible. */
  private static String readable(String rows) {
    return rows.replaceAll("⟨[^⟩]*⟩", "").replaceAll("[^A-Za-z0-9]", "");
  }

  /** The letters and digits of a text's lines; the next one may have words of ours before it. */
  private static List<String> words(String text) {
    return text.lines().map(line -> line.replaceAll("[^A-Za-z0-9]", "")).toList();
  }

  @Property(tries = 300)
  void jsonSaysTheSameAndMovesNoCursor(@ForAll("texts") String text) throws Exception {
    ObjectNode event = JsonNodeFactory.instance.objectNode().put("text", text);

    String shown = ShownText.json(event.toString());

    assertThat(new ObjectMapper().readTree(shown)).isEqualTo(event);
    Screen screen = Screen.of(shown);
    assertThat(screen.answers()).isEmpty();
    assertThat(String.join("", screen.rows()).replace(" ", "")).isEqualTo(shown.replace(" ", ""));
  }
}
