package dev.bridle.host.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class Bm25Test {
  @ParameterizedTest
  @CsvSource({
    "deploy_service, 'deploy, service'",
    "deployService, 'deploy, service'",
    "HTTPServer, 'http, server'",
    "list-all_files2, 'list, all, file, 2'",
    "Größe ändern, 'größe, ändern'",
    "access, access",
    "***, ''"
  })
  void namesAreWordsInAnySpelling(String text, String words) {
    assertThat(String.join(", ", Bm25.words(text))).isEqualTo(words);
  }

  @Test
  void aRareWordCountsMoreThanACommonOneAndAShortTextMoreThanALongOne() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("a", "file read");
    texts.put("b", "file write");
    texts.put("c", "file rename with many more words than the others have");
    texts.put("d", "weather");

    assertThat(ranked(texts, "rename file")).containsExactly("c", "a", "b");
    assertThat(ranked(texts, "write")).containsExactly("b");
    assertThat(ranked(texts, "nothing fits")).isEmpty();
    assertThat(ranked(Map.of(), "file")).isEmpty();
  }

  private static List<String> ranked(Map<String, String> texts, String query) {
    return new Bm25(texts).rank(query).stream().map(Bm25.Ranked::name).toList();
  }
}
