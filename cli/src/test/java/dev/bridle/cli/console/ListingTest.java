package dev.bridle.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** How lists are printed for people and for scripts. */
final class ListingTest {
  private final StringWriter said = new StringWriter();

  @Test
  void aTerminalHasHeadingsOverAlignedColumns() {
    list(new TerminalWriter(said), false);

    assertThat(said.toString().lines())
        .containsExactly("ID       STATUS", "a        WORKING", "longest  OK");
  }

  @Test
  void aListWithoutRowsHasAllHeadings() {
    new Listing(new TerminalWriter(said), false, "ID", "STATUS").close();

    assertThat(said.toString().lines()).containsExactly("ID  STATUS");
  }

  @Test
  void aScriptHasTheLinesAlone() {
    list(new PrintWriter(said), false);

    assertThat(said.toString().lines()).containsExactly("line a", "line b");
  }

  @Test
  void jsonHasNoHeadingsAtATerminalEither() {
    list(new TerminalWriter(said), true);

    assertThat(said.toString().lines()).containsExactly("line a", "line b");
  }

  private static void list(PrintWriter out, boolean json) {
    try (Listing list = new Listing(out, json, "ID", "FAILURE", "STATUS")) {
      list.add("line a", "a", "", "WORKING");
      list.add("line b", "longest", "", "OK");
    }
  }
}
