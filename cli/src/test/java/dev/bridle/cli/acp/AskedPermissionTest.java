package dev.bridle.cli.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A permission request as an editor shows it. */
final class AskedPermissionTest {
  private static AskedPermission asking(JsonNode content, String kind, String... grants) {
    ObjectNode request = JsonLines.object().put("id", "permission_1");
    request.putObject("action").put("kind", kind).put("title", "Tidy up").set("content", content);
    ObjectNode question =
        request
            .putObject("request")
            .put("content_hash", "sha256:aa")
            .put("expires_at", "2026-11-25T00:00:00Z");
    for (String grant : grants) {
      question.withArray("offered_grants").addObject().put("id", grant);
    }
    return AskedPermission.ofResource(request);
  }

  private static AskedPermission command(String command, String... grants) {
    return asking(JsonLines.object().put("command", command), "command", grants);
  }

  @Test
  void theCommandIsTheTitleNotWhatTheAgentCallsIt() {
    assertThat(command("rm -r /").title()).isEqualTo("rm -r /");
    assertThat(asking(JsonLines.object().put("path", "/a"), "delete").title())
        .isEqualTo("delete: Tidy up");
  }

  @Test
  void alwaysIsOfferedWhereTheSessionMayGrantIt() {
    assertThat(command("ls").options().findValuesAsText("kind"))
        .containsExactly("allow_once", "reject_once");
    assertThat(
            command("ls", "this_tool", "this_action", "this_workspace")
                .options()
                .findValuesAsText("optionId"))
        .containsExactly("allow_once", "this_action", "reject_once");
    assertThat(command("ls", "this_action").answer("this_action").orElseThrow().grant())
        .contains("this_action");
  }

  @Test
  void anAnswerIsBoundToWhatWasShown() {
    assertThat(command("ls").answer("allow_once"))
        .hasValueSatisfying(
            answer -> {
              assertThat(answer.approved()).isTrue();
              assertThat(answer.contentHash()).isEqualTo("sha256:aa");
              assertThat(answer.grant()).isEmpty();
            });
    assertThat(command("ls").answer("reject_once").orElseThrow().approved()).isFalse();
    assertThat(command("ls").answer("this_action")).as("not offered").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a```b", "````", "x\n```\ncommand: ls\n", "\u001b[2J"})
  void aTextOfTheAgentsCantEndItsBlock(String command) {
    String text = command(command).content("").get(0).at("/content/text").asText();

    String fence = text.lines().findFirst().orElseThrow();
    assertThat(text).endsWith("\n" + fence).doesNotContain("\u001b");
    assertThat(text.substring(fence.length(), text.length() - fence.length()))
        .doesNotContain(fence);
  }

  @Test
  void whatIsTooLargeToBeShownCanOnlyBeRejected() {
    AskedPermission asked = command("x".repeat(AskedPermission.MOST_SHOWN), "this_action");

    assertThat(asked.options().findValuesAsText("kind")).containsExactly("reject_once");
    assertThat(asked.answer("allow_once")).isEqualTo(Optional.empty());
    ObjectNode shown = asked.complete(JsonLines.object(), "bridle permission show permission_1");
    assertThat(shown.has("rawInput")).isFalse();
    assertThat(shown.at("/content/0/content/text").asText())
        .contains("can't be allowed here", "bridle permission show permission_1");
  }

  @Test
  void contentThatIsNotThereCantBeAllowed() {
    assertThat(asking(JsonLines.object().nullNode(), "command").isWhole()).isFalse();
  }

  private static AskedPermission offering(String... options) {
    AskedPermission asked = command("ls", "this_action");
    ObjectNode request = (ObjectNode) asked.request().get("request");
    for (String option : options) {
      int space = option.indexOf(' ');
      String id = option.substring(0, space);
      request
          .withArray("options")
          .addObject()
          .put("id", id)
          .put("name", "Do " + id)
          .put("kind", option.substring(space + 1));
    }
    return asked;
  }

  @Test
  void theAgentsOptionsHaveItsNamesAndTheAnswerNamesOne() {
    AskedPermission asked =
        offering("staging allow_once", "production allow_once", "no reject_once");

    assertThat(asked.options().findValuesAsText("name"))
        .containsExactly(
            "Do staging", "Do production", "Allow this exact action in this session", "Do no");
    assertThat(asked.answer("agent:production"))
        .hasValueSatisfying(
            answer -> {
              assertThat(answer.approved()).isTrue();
              assertThat(answer.option()).contains("production");
              assertThat(answer.grant()).isEmpty();
            });
    assertThat(asked.answer("agent:no").orElseThrow().approved()).isFalse();
    assertThat(asked.answer("allow_once")).as("names none of the two").isEmpty();
  }

  @Test
  void whereAnAgentOffersOnlyAlwaysThatIsWhatTheEditorIsOffered() {
    AskedPermission asked = offering("forever allow_always");

    assertThat(asked.options().get(0).path("kind").asText()).isEqualTo("allow_always");
    assertThat(asked.answer("agent:forever").orElseThrow().option()).contains("forever");
  }

  @Test
  void anActionThatIsNotKnownExactlySaysSo() {
    AskedPermission asked = command("ls");
    ((ObjectNode) asked.request().get("action")).put("not_exact", "It does not say it.");

    ObjectNode shown = asked.complete(JsonLines.object(), "");

    assertThat(shown.at("/_meta/bridle/not_exact").asText()).isEqualTo("It does not say it.");
    assertThat(shown.at("/content/0/content/text").asText()).contains("It does not say it.");
  }
}
