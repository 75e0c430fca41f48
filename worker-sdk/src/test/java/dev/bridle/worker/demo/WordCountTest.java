package dev.bridle.worker.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as a word, and how the report looks. */
final class WordCountTest {
  @ParameterizedTest(name = "[{0}]")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "one two two|two=2 one=1",
        "b a c|a=1 b=1 c=1",
        "The the THE|the=3",
        "\"stop. Stop! (stop)\"|stop=3",
        "don't Don’t|don't=2",
        "'quoted' rock'n'roll dogs'|dogs=1 quoted=1 rock'n'roll=1",
        "a''b|a=1 b=1",
        "Ähre ähre Straße|ähre=2 straße=1",
        "\"e\u0301t\u00e9 \u00e9te\u0301\"|été=2",
        "Ελλάδα ΕΛΛΆΔΑ|ελλάδα=2",
        "данные данные Данные|данные=3",
        "東京 東京|東京=2",
        "हिन्दी हिन्दी|हिन्दी=2",
        "𝒳𝒴 𝒳𝒴|𝒳𝒴=2",
        "route 66 and 3½|3½=1 66=1 and=1 route=1",
        "snake_case kebab-case|case=2 kebab=1 snake=1",
        "TITLE title İ|title=2 i̇=1",
        "\"!!! ... ☃\"|\"\"",
        "\"\"|\"\"",
      })
  void wordsAreCounted(String text, String expected) {
    WordCount count = count(text);
    String ranked =
        count.ranked().stream()
            .map(entry -> entry.word() + "=" + entry.count())
            .collect(Collectors.joining(" "));
    assertThat(ranked).isEqualTo(expected);
    assertThat(count.total())
        .isEqualTo(count.ranked().stream().mapToLong(WordCount.Entry::count).sum());
    assertThat(count.distinct()).isEqualTo(count.ranked().size());
  }

  @Test
  void theReportIsTheSameForTheSameWords() {
    assertThat(report("b a a", 1000)).isEqualTo(report("A, b: a!", 1000));
    assertThat(report("b a a", 1000))
        .isEqualTo(
            "{\"total_words\":3,\"distinct_words\":2,\"listed_words\":2,\"words\":"
                + "[{\"word\":\"a\",\"count\":2},{\"word\":\"b\",\"count\":1}]}");
  }

  @Test
  void aReportLeavesOutItsRarestWordsRatherThanPassItsLimit() {
    String text =
        "often often "
            + IntStream.range(0, 1000).mapToObj(i -> "rare" + i).collect(Collectors.joining(" "));
    String json = report(text, 5000);
    assertThat(json.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(5000);
    assertThat(json)
        .startsWith("{\"total_words\":1002,\"distinct_words\":1001,\"listed_words\":")
        .contains("{\"word\":\"often\",\"count\":2}")
        .contains("{\"word\":\"rare0\",\"count\":1}")
        .doesNotContain("rare999");
  }

  @Test
  void theSentenceNamesTheMostFrequentWord() {
    assertThat(new WordReport(count("b a a"), 1000).sentence())
        .isEqualTo("Counted 3 words, 2 distinct; the most frequent is \"a\" (2 times).");
    assertThat(new WordReport(count("b"), 1000).sentence())
        .isEqualTo("Counted 1 word, 1 distinct; the most frequent is \"b\" (1 time).");
    assertThat(new WordReport(count("..."), 1000).sentence())
        .isEqualTo("Counted 0 words, 0 distinct.");
  }

  @Test
  void countingALongTextCanBeEnded() {
    WordCount count =
        new WordCount(
            () -> {
              throw new IllegalStateException("enough");
            });
    assertThatThrownBy(() -> count.add("word ".repeat(100_000))).hasMessage("enough");
  }

  private static WordCount count(String text) {
    WordCount count = new WordCount(() -> {});
    count.add(text);
    return count;
  }

  private static String report(String text, int maxBytes) {
    return new String(new WordReport(count(text), maxBytes).json(), StandardCharsets.UTF_8);
  }
}
