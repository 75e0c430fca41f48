package dev.bridle.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WordsTest {
  @ParameterizedTest
  @CsvSource({
    "memories,memory", "branches,branch", "task_statuses,task_status", "personas,persona",
    "packages,package", "vault_ids,vault_id", "addresses,address", "boxes,box"
  })
  void aSingularFollowsFromItsPlural(String plural, String singular) {
    assertThat(Words.singular(plural)).isEqualTo(singular);
  }
}
