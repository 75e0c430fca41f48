package dev.bridle.cli.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.bridle.cli.console.JsonLines;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of an agent's options an answer may name, as the server has it. */
final class OfferedOptionsTest {
  private static OfferedOptions offered(String options) {
    ArrayNode listed = JsonLines.object().arrayNode();
    for (String option : words(options)) {
      String[] parts = option.split(":", 2);
      listed.addObject().put("id", parts[0]).put("kind", parts[1]);
    }
    return OfferedOptions.listed(listed);
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource({
    "'', false, '', ''",
    "a:allow_once, false, '', a",
    "a:allow_once w:allow_always, false, '', a w",
    "a:allow_once b:allow_once, true, a b, a b",
    "a:allow_once b:allow_once w:allow_always, true, a b, a b",
    "w:allow_always, true, w, w",
    "w:allow_always v:allow_always n:reject_once, true, w v, w v",
    "n:reject_once, true, '', ''",
    "x:other, true, '', ''"
  })
  void anApprovalNamesOneOfThoseThatAllowOnceElseOneThatMeansAlways(
      String options, boolean needed, String choices, String approving) {
    OfferedOptions offered = offered(options);

    assertThat(offered.needChoice()).isEqualTo(needed);
    assertThat(offered.choices()).isEqualTo(words(choices));
    assertThat(offered.approving()).isEqualTo(words(approving));
  }

  @ParameterizedTest
  @CsvSource({"a:allow_once n:reject_once m:reject_always, n m", "a:allow_once, ''"})
  void aDenialNamesOneThatRejects(String options, String denying) {
    assertThat(offered(options).denying()).isEqualTo(words(denying));
  }
}
