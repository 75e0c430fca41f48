package dev.bridle.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** What a terminal gets of the output for scripts. */
class TerminalWriterTest {
  private static final String HOSTILE =
      "{\"text\":\"\u009b2J \u009b0m \u202e \u2028 \ud83d\ude00 grün\"}";

  private static String printed(String... arguments) {
    StringWriter out = new StringWriter();
    try (TerminalWriter terminal = TerminalWriter.of(out, arguments)) {
      terminal.println(HOSTILE);
    }
    return out.toString();
  }

  @Test
  void jsonIsEscapedAndMeansTheSame() {
    String shown = printed("task", "list", "--json");

    assertThat(shown)
        .endsWith("\n")
        .contains("\\u009b", "\\u202e", "\\u2028", "\\ud83d\\ude00", "grün")
        .doesNotContain("\u009b", "\u202e");
    assertThat(JsonLines.parse(shown)).isEqualTo(JsonLines.parse(HOSTILE));
  }

  @Test
  void whatIsNoJsonStaysWithItsCommand() {
    assertThat(printed("task", "list")).isEqualTo(HOSTILE + "\n");
    assertThat(printed("task", "submit", "--", "--json")).isEqualTo(HOSTILE + "\n");
  }
}
