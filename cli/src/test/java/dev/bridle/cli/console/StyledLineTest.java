package dev.bridle.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Styles of lines, which only a terminal shows that is asked to. */
final class StyledLineTest {
  private static final List<StyledLine> LINES =
      List.of(new StyledLine(Style.ADDED, "+a"), StyledLine.plain("b"));

  private static String atTerminal(Map<String, String> environment) {
    StringWriter written = new StringWriter();
    StyledLine.print(new TerminalWriter(written), LINES, environment::get);
    return written.toString();
  }

  @Test
  void aTerminalShowsStyles() {
    assertThat(atTerminal(Map.of("NO_COLOR", "", "TERM", "xterm")).lines())
        .containsExactly("\u001b[32m+a\u001b[0m", "b");
  }

  @Test
  void aPersonWhoWantsNoColorGetsNone() {
    assertThat(atTerminal(Map.of("NO_COLOR", "1")).lines()).containsExactly("+a", "b");
  }

  @Test
  void aTerminalWithoutStylesGetsNone() {
    assertThat(atTerminal(Map.of("TERM", "dumb")).lines()).containsExactly("+a", "b");
  }

  @Test
  void aFileGetsNone() {
    StringWriter written = new StringWriter();
    StyledLine.print(new PrintWriter(written), LINES, name -> "");
    assertThat(written.toString().lines()).containsExactly("+a", "b");
  }
}
