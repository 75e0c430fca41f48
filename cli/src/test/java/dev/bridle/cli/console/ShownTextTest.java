package dev.bridle.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShownTextTest {

  @ParameterizedTest
  @CsvSource({
    "'\u001b[2J', ⟨U+001B⟩[2J",
    "'\u009b31m', ⟨U+009B⟩31m",
    "'a\rb', a⟨U+000D⟩b",
    "'a\nb', a⟨U+000A⟩b",
    "'rm \u202Efdp', rm ⟨U+202E⟩fdp",
    "'pay\u200Bpal', pay⟨U+200B⟩pal",
    "'a\u2028b', a⟨U+2028⟩b",
    "'a\u00A0b', a⟨U+00A0⟩b",
    "'a\u3164b', a⟨U+3164⟩b",
    "'a\uFE01b', a⟨U+FE01⟩b",
    "'a\uE000b', a⟨U+E000⟩b",
    "'\uDB40\uDC41', ⟨U+E0041⟩",
    "'\uD800x', ⟨U+D800⟩x",
    "'⟨U+202E⟩', ⟨U+27E8⟩U+202E⟨U+27E9⟩",
    "'e\u0301\u0301\u0301\u0301', e\u0301\u0301\u0301⟨U+0301⟩",
  })
  void whatCannotBeSeenIsNamed(String text, String shown) {
    assertThat(ShownText.line(text)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ls -la",
        "Grüße aus Zürich",
        "日本語のテキスト",
        "שלום",
        "é",
        "1 + 1 = 2 €",
        "👍 done"
      })
  void whatCanBeSeenStays(String text) {
    assertThat(ShownText.line(text)).isEqualTo(text);
  }

  @Test
  void longBlanksAreCounted() {
    assertThat(ShownText.line("a" + " ".repeat(200) + "rm -rf /"))
        .isEqualTo("a⟨200 blanks⟩rm -rf /");
    assertThat(ShownText.line("    indented")).isEqualTo("    indented");
  }

  @Test
  void aMessageKeepsItsLinesAndWhatWasMadeSafeBefore() {
    assertThat(ShownText.message("no member \u001b[31m\u202e\rx\nTry ⟨U+202E⟩ again"))
        .isEqualTo("no member ⟨U+001B⟩[31m⟨U+202E⟩⟨U+000D⟩x\nTry ⟨U+202E⟩ again");
  }

  @Test
  void eachLineOfATextStandsBehindABar() {
    assertThat(ShownText.lines("one\n\tallow? [y]\r\nthree\n"))
        .containsExactly("│ one", "│   allow? [y]", "│ three");
  }

  @Test
  void noTextContainsWhatATerminalActsOn() {
    Random random = new Random(7);
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(40); i > 0; i--) {
        text.append((char) random.nextInt(random.nextBoolean() ? 0x100 : 0x10000));
      }
      assertThat(ShownText.line(text.toString()))
          .matches(
              shown -> shown.chars().noneMatch(ShownTextTest::acts), "shows nothing that acts");
    }
  }

  private static boolean acts(int one) {
    return one < 0x20
        || (one >= 0x7f && one <= 0xa0)
        || (one >= 0x200b && one <= 0x200f)
        || (one >= 0x2028 && one <= 0x202e)
        || (one >= 0x2060 && one <= 0x206f)
        || one == 0xfeff;
  }
}
