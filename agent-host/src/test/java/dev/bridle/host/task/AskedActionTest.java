package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Question.Option;
import dev.bridle.host.acp.Question.OptionKind;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.rpc.RawJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a person is asked to allow is the whole of what the agent will do. */
class AskedActionTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<Option> OPTIONS =
      List.of(new Option("yes", "Yes", OptionKind.ALLOW_ONCE));

  private static AskedAction asked(String params) throws IOException {
    JsonNode whole = MAPPER.readTree(params);
    Map<String, RawJson> members = new LinkedHashMap<>();
    whole
        .path("toolCall")
        .properties()
        .forEach(member -> members.put(member.getKey(), RawJson.of(member.getValue())));
    return AskedAction.of(
        new Question.Permission(
            new ToolCall("call-1", members), Optional.empty(), OPTIONS, RawJson.of(whole), true),
        Path.of("/project"),
        RequestTraits.NONE);
  }

  private static String edit(String input, String before, String after) {
    return """
        {"toolCall":{"kind":"edit","rawInput":INPUT,"content":[
          {"type":"diff","path":"/project/a","oldText":"BEFORE","newText":"AFTER"}]}}
        """
        .replace("INPUT", input)
        .replace("BEFORE", before)
        .replace("AFTER", after);
  }

  @Test
  void anEditThatOnlyADifferenceSaysIsShownAsADiff() throws IOException {
    JsonNode change = asked(edit("{}", "a\\nb\\n", "a\\nc\\n")).content().at("/changes/0");

    assertThat(change.path("path").asText()).isEqualTo("/project/a");
    assertThat(change.path("diff").asText()).isEqualTo("@@ -1,2 +1,2 @@\n a\n-b\n+c");
    assertThat(change.path("before_sha256").asText()).hasSize(64);
    assertThat(change.path("after_sha256").asText()).hasSize(64);
  }

  @Test
  void anEditThatItsInputShowsIsNotShownTwice() throws IOException {
    for (String input :
        List.of(
            "{\"old_string\":\"b\\n\",\"new_string\":\"c\\n\"}",
            "{\"diff\":\"--- a\\n+++ a\\n@@ -1 +1 @@\\n-b\\n+c\\n\"}")) {
      assertThat(asked(edit(input, "b\\n", "c\\n")).content().at("/changes/0").has("diff"))
          .isFalse();
    }
    assertThat(
            asked(edit("{\"diff\":\"-b\\n+another\\n\"}", "b\\n", "c\\n"))
                .content()
                .at("/changes/0")
                .has("diff"))
        .as("the input shows another edit")
        .isTrue();
    assertThat(
            asked(edit("{\"old_string\":\"b\\n\",\"at\":{}}", "b\\n", ""))
                .content()
                .at("/changes/0")
                .has("diff"))
        .as("the input shows the old text only")
        .isTrue();
  }

  @Test
  void aDiffThatIsTooLargeIsBoundByItsHash() throws IOException {
    String large = "0123456789\\n".repeat(30_000);
    JsonNode diff = asked(edit("{}", "", large)).content().at("/changes/0/diff");

    assertThat(diff.path("sha256").asText()).hasSize(64);
    assertThat(diff.path("characters").asInt()).isGreaterThan(300_000);
  }

  @Test
  void argumentsThatOnlyTheApprovalRequestSaysAreTheAction() throws IOException {
    AskedAction action =
        asked(
            """
            {"toolCall":{},"approvalRequest":{"action":"deploy","args":{"to":"production"}},
             "accepts_modified":false}
            """);

    assertThat(action.tool()).isEqualTo("deploy");
    assertThat(action.content().path("to").asText()).isEqualTo("production");
  }

  @Test
  void argumentsThatTheApprovalRequestSaysOtherwiseAreShownBesideTheOthers() throws IOException {
    AskedAction action =
        asked(
            """
            {"toolCall":{"rawInput":{"to":"staging"}},"approvalRequest":{"args":{"to":"production"}}}
            """);

    assertThat(action.content().path("to").asText()).isEqualTo("staging");
    assertThat(action.content().at("/approval_args/to").asText()).isEqualTo("production");
  }
}
