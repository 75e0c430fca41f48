package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.permission.ShownAction;
import dev.bridle.fixtures.client.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a person reads of a question and of its answer. */
final class ShownQuestionTest {
  @Test
  void whatTheAgentSaysBesideTheActionIsShownAsItsWords() {
    JsonNode request =
        Json.parse(
            "{\"action\":{\"kind\":\"edit\",\"content\":{\"path\":\"a\"}},"
                + "\"metadata\":{\"declaredPaths\":[\"a\\u001b[2J\"]},"
                + "\"request\":{\"expires_at\":\"2026-01-01T00:00:00Z\","
                + "\"arguments_member\":\"arguments\"}}");

    assertThat(ShownAction.lines(request))
        .contains("edit", "  path: a", "until 2026-01-01T00:00:00Z")
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("the agent says declaredPaths: ")
                    .doesNotContain("\u001b"))
        .anySatisfy(line -> assertThat(line).contains("may replace arguments"));
  }

  @Test
  void theLinesOfATextAreCountedAndCannotBeTakenForMembers() {
    assertThat(shown("{\"command\":\"a\\n  cwd: /safe\",\"cwd\":\"/real\"}"))
        .containsSubsequence(
            "  command: 2 lines, without a line break at the end",
            "    │ a",
            "    │   cwd: /safe",
            "  cwd: /real");
    assertThat(shown("{\"content\":\"a\\n\"}")).containsSubsequence("  content: 1 line", "    │ a");
    assertThat(shown("{\"content\":\"\\n\\n\"}"))
        .containsSubsequence("  content: 2 lines", "    │ ", "    │ ");
  }

  @Test
  void carriageReturnsAreSeen() {
    assertThat(shown("{\"command\":\"rm x\\rls\"}")).contains("  command: rm x⟨U+000D⟩ls");
    assertThat(shown("{\"content\":\"a\\r\\nb\\n\"}"))
        .containsSubsequence("  content: 2 lines", "    │ a⟨U+000D⟩", "    │ b");
    assertThat(shown("{\"content\":\"a\\r\\nb\\r\\n\"}"))
        .containsSubsequence("  content: 2 lines, which end in CR LF", "    │ a", "    │ b");
  }

  @Test
  void textsWithinMembersAreShownLineByLine() {
    assertThat(
            shown(
                "{\"changes\":[{\"path\":\"a.txt\",\"diff\":\"@@ -1 +1 @@\\n-old\\n+new\"}],"
                    + "\"flags\":{\"all\":true}}"))
        .containsSubsequence(
            "  changes[0].path: a.txt",
            "  changes[0].diff: 3 lines, without a line break at the end",
            "    │ -old",
            "    │ +new",
            "  flags: {\"all\":true}");
  }

  private static List<String> shown(String content) {
    return ShownAction.lines(
        Json.parse("{\"action\":{\"kind\":\"edit\",\"content\":" + content + "}}"));
  }

  @Test
  void anAnswerWithOtherArgumentsSaysWhich() {
    JsonNode request =
        Json.parse(
            "{\"status\":\"approved\",\"response\":{\"answers\":[{\"approved\":true,"
                + "\"actor\":\"kim\",\"arguments\":{\"to\":\"staging\"}}]}}");

    assertThat(Decided.byOthers(request, "me"))
        .hasValue("approved by kim, once, with other arguments: {\"to\":\"staging\"}");
  }

  /** A person may answer at the terminal, or on a device of theirs. */
  @Test
  void whatTheSamePersonAnsweredOnADeviceIsSaid() {
    String answer =
        "{\"status\":\"denied\",\"response\":{\"answers\":[{\"approved\":false,"
            + "\"actor\":\"ada@laptop\",\"channel\":\"%s\"}]}}";

    assertThat(Decided.byOthers(Json.parse(String.format(answer, "rest")), "ada@laptop")).isEmpty();
    assertThat(Decided.byOthers(Json.parse(String.format(answer, "harp")), "ada@laptop"))
        .hasValue("denied by ada@laptop");
  }
}
