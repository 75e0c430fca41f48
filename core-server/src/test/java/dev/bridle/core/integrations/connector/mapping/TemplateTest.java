package dev.bridle.core.integrations.connector.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.core.kernel.error.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
  private static final Map<String, String> VALUES = Map.of("delivery_id", "delivery_1");
  private static final String BODY =
      "{\"issue\":{\"title\":\"It breaks\",\"number\":9007199254740993,\"open\":true,"
          + "\"none\":null,\"labels\":[{\"name\":\"bug\"}],\"a/b\":\"slash\"},\"price\":1.10}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plain|plain",
        "{/issue/title}|It breaks",
        "#{/issue/number}: {/issue/title}!|#9007199254740993: It breaks!",
        "{/issue/open}|true",
        "{/issue/labels/0/name}|bug",
        "{/issue/labels}|[{\"name\":\"bug\"}]",
        "{/issue/a~1b}|slash",
        "{/price}|1.10",
        "[{/issue/none?}{/nothing?}]|[]",
        "{header:X-GitHub-Event} {delivery_id}|issues delivery_1",
        "[{header:x-other?}]|[]",
        "{{/issue}}|{/issue}",
        "{{{/issue/title}}}|{It breaks}"
      })
  void placesStandForWhatTheDeliverySays(String template, String text) {
    assertThat(render(template, BODY)).isEqualTo(text);
  }

  @Test
  void theWholeBodyIsTextWhateverItIs() {
    assertThat(render("> {body}", "no json")).isEqualTo("> no json");
  }

  @Test
  void aFormHasItsMembersAndAPayloadInItCounts() {
    assertThat(
            rendered(
                "{/text} {/user}", "text=a+b&user=%C3%A9", "application/x-www-form-urlencoded"))
        .isEqualTo("a b é");
    assertThat(
            rendered(
                "{/action}",
                "payload=%7B%22action%22%3A%22opened%22%7D",
                "application/x-www-form-urlencoded; charset=utf-8"))
        .isEqualTo("opened");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{/nothing}", "{/issue/none}", "{header:x-other}", "{/issue/labels/7}"})
  void whatIsNeededAndAbsentIsSaid(String template) {
    assertThatThrownBy(() -> render(template, BODY))
        .isInstanceOf(MappingException.class)
        .hasMessage("The delivery has no value for " + template + ".");
  }

  @Test
  void bodiesThatAreNoJsonHaveNoPlaces() {
    for (String body : new String[] {"", "{", "{} {}", "{\"a\":".repeat(100)}) {
      assertThatThrownBy(() -> render("{/a}", body)).isInstanceOf(MappingException.class);
    }
  }

  @Test
  void aTextOfTooMuchIsRefused() {
    assertThat(render("{body}", "x".repeat(Template.MOST))).hasSize(Template.MOST);
    assertThatThrownBy(() -> render("{body}", "x".repeat(Template.MOST + 1)))
        .isInstanceOf(MappingException.class)
        .hasMessageContaining("longer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{", "}", "{/a", "a}b", "{}", "{issue}", "{header:}", "{other_id}", "{?}"})
  void whatIsNoTemplateIsRefused(String template) {
    assertThatThrownBy(() -> Template.parse("mapping.text", template, List.of("delivery_id")))
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refused -> assertThat(refused.param()).contains("mapping.text"));
  }

  private static String render(String template, String body) {
    return rendered(template, body, "application/json");
  }

  private static String rendered(String template, String body, String type) {
    return Template.parse("mapping.text", template, List.of("delivery_id"))
        .render(
            DeliveryContent.of(
                body.getBytes(StandardCharsets.UTF_8),
                Map.of("content-type", type, "x-github-event", "issues")),
            VALUES);
  }
}
