package dev.bridle.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a word stands in a printed command. */
final class ShellWordTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "http://127.0.0.1:8080,http://127.0.0.1:8080",
        "/a/b-c_d.pem,/a/b-c_d.pem",
        "model=x,model=x",
        "=ls,'=ls'",
        "\"\",''",
        "a b,'a b'",
        "it's,'it'\\''s'",
        "$(rm),'$(rm)'",
        "a;b,'a;b'",
        "~,'~'",
        "é,'é'"
      })
  void aWordThatAShellWouldChangeIsQuoted(String word, String quoted) {
    assertThat(ShellWord.quoted(word)).isEqualTo(quoted);
  }
}
