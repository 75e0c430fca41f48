package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.permission.ShownAction;
import dev.bridle.fixtures.client.Json;
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
  void anAnswerWithOtherArgumentsSaysWhich() {
    JsonNode request =
        Json.parse(
            "{\"status\":\"approved\",\"response\":{\"answers\":[{\"approved\":true,"
                + "\"actor\":\"kim\",\"arguments\":{\"to\":\"staging\"}}]}}");

    assertThat(Decided.byOthers(request, "me"))
        .hasValue("approved by kim, once, with other arguments: {\"to\":\"staging\"}");
  }
}
