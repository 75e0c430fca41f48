package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What Harn's runtimes add to tool calls is kept in events as far as it is not too long. */
final class ToolCallFactsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static ToolCall call(String json) throws Exception {
    Map<String, RawJson> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : MAPPER.readTree(json).properties()) {
      members.put(member.getKey(), RawJson.of(member.getValue()));
    }
    return new ToolCall("t1", members);
  }

  @Test
  void whatIsStreamedIsKeptWhileTheCallHasNotEnded() throws Exception {
    String members =
        "\"parsing\":true,\"rawInputPartial\":\"{\\\"co\",\"audit\":{\"run_id\":\"r1\"}}";

    assertThat(ToolCallFacts.call(call("{\"status\":\"pending\"," + members), false).toString())
        .contains("\"parsing\":true", "\"raw_input_partial_bytes\":7", "\"run_id\":\"r1\"")
        .as("it may hold a secret")
        .doesNotContain("\\\"co");
    assertThat(ToolCallFacts.result(call("{\"status\":\"failed\"," + members), false).toString())
        .contains("\"audit\":{\"run_id\":\"r1\"}")
        .doesNotContain("parsing", "partial");
  }

  @Test
  void ofWhatIsTooLongTheBeginningOrTheLengthIsKept() throws Exception {
    String text = "x".repeat(5000);
    JsonNode facts =
        ToolCallFacts.call(
            call(
                "{\"status\":\"pending\",\"rawInputPartial\":\""
                    + text
                    + "\",\"audit\":[\""
                    + text
                    + "\"]}"),
            false);

    assertThat(facts.get("raw_input_partial_bytes").intValue()).isEqualTo(5002);
    assertThat(facts.has("audit")).isFalse();
    assertThat(facts.get("audit_bytes").intValue()).isEqualTo(5004);
  }

  @Test
  void aTextThatEndsInHalfACharacterIsKeptWithoutIt() throws Exception {
    JsonNode facts =
        ToolCallFacts.call(call("{\"status\":\"pending\",\"audit\":\"a\\ud83d\"}"), false);

    assertThat(facts.get("audit").textValue()).isEqualTo("a\ufffd");
  }
}
