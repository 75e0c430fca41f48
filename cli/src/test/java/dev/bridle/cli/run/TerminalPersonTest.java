package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The name of who answers at a terminal. */
final class TerminalPersonTest {
  @Test
  void itIsThatOfTheUserAndTheHost() {
    assertThat(TerminalPerson.of("ada", "laptop.local\n")).isEqualTo("ada@laptop.local");
    assertThat(TerminalPerson.of("DOMAIN\\José Müller", "PC-1")).isEqualTo("José_Müller@PC-1");
    assertThat(TerminalPerson.name()).matches("[^@]+@[^@]+").isEqualTo(TerminalPerson.name());
  }

  @Test
  void whatCouldDeceiveIsReplaced() {
    assertThat(TerminalPerson.of("a\u001b[2Jb@c", "h\u202eost\u0000")).isEqualTo("a__2Jb_c@h_ost_");
    assertThat(TerminalPerson.of("e\u0301ve", "host\u200b")).isEqualTo("\u00e9ve@host_");
  }

  @Test
  void whatSaysNothingIsNamedByAWord() {
    assertThat(TerminalPerson.of("", " ")).isEqualTo("user@localhost");
    assertThat(TerminalPerson.of("?", "\u0000")).isEqualTo("user@localhost");
  }

  /** A server takes 128 characters. */
  @Test
  void itIsBounded() {
    assertThat(TerminalPerson.of("a".repeat(500), "\ud801\udc00".repeat(500)).codePoints().count())
        .isEqualTo(121);
  }
}
