package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What events keep of what tool calls are called with and give back. */
final class ToolOutputTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static ToolCall call(String json) throws Exception {
    Map<String, RawJson> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : MAPPER.readTree(json).properties()) {
      members.put(member.getKey(), RawJson.of(member.getValue()));
    }
    return new ToolCall("t1", members);
  }

  private static JsonNode output(String json) throws Exception {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    new KeptContent().addOutput(call(json), event);
    return event.path("output");
  }

  private static String text(String text) {
    return "{\"type\":\"content\",\"content\":{\"type\":\"text\",\"text\":\"" + text + "\"}}";
  }

  @Test
  void textsDifferencesAndTerminalsAreKeptAsWhatTheyAre() throws Exception {
    JsonNode output =
        output(
            "{\"content\":["
                + text("built\\nin 3 s")
                + ",{\"type\":\"diff\",\"path\":\"/w/a.txt\",\"oldText\":\"one\\n\",\"newText\":\"two\\n\"}"
                + ",{\"type\":\"terminal\",\"terminalId\":\"term-1\"}]}");

    assertThat(output.get(0))
        .isEqualTo(MAPPER.readTree("{\"type\":\"text\",\"text\":\"built\\nin 3 s\"}"));
    assertThat(output.get(1).get("path").textValue()).isEqualTo("/w/a.txt");
    assertThat(output.get(1).get("text").textValue()).isEqualTo("@@ -1,1 +1,1 @@\n-one\n+two");
    assertThat(output.get(1).get("before_sha256").textValue())
        .isEqualTo("sha256:" + Sha256.hex("one\n"));
    assertThat(output.get(1).get("after_sha256").textValue())
        .isEqualTo("sha256:" + Sha256.hex("two\n"));
    assertThat(output.get(2))
        .isEqualTo(MAPPER.readTree("{\"type\":\"terminal\",\"terminal_id\":\"term-1\"}"));
  }

  @Test
  void aNewFileHasNoHashOfATextBefore() throws Exception {
    JsonNode output =
        output("{\"content\":[{\"type\":\"diff\",\"path\":\"a\",\"newText\":\"two\\n\"}]}");

    assertThat(output.get(0).get("text").textValue()).contains("+two");
    assertThat(output.get(0).has("before_sha256")).isFalse();
  }

  @Test
  void theRawOutputIsKeptWithoutWhatTheContentSays() throws Exception {
    assertThat(output("{\"content\":[" + text("ok") + "],\"rawOutput\":\"ok\\n\"}")).hasSize(1);
    assertThat(
            output(
                "{\"content\":["
                    + text("ok")
                    + "],\"rawOutput\":{\"output\":\"ok\",\"metadata\":{\"exit\":0}}}"))
        .hasToString(
            "[{\"type\":\"text\",\"text\":\"ok\"},"
                + "{\"type\":\"raw\",\"value\":{\"metadata\":{\"exit\":0}}}]");
    assertThat(output("{\"rawOutput\":\"only here\"}"))
        .hasToString("[{\"type\":\"raw\",\"text\":\"only here\"}]");
    assertThat(output("{\"status\":\"completed\"}").isMissingNode()).isTrue();
  }

  @Test
  void ofALongTextBeginningAndEndAreKeptWithSizeAndHash() throws Exception {
    String smile = "\ud83d\ude00";
    String text = "begin" + smile.repeat(60_000) + "the end";
    JsonNode part = output("{\"content\":[" + text(text) + "]}").get(0);

    assertThat(part.get("text").textValue()).startsWith("begin").doesNotContain("\ufffd");
    assertThat(part.get("tail").textValue()).endsWith("the end").doesNotContain("\ufffd");
    assertThat(part.get("text").textValue().length() + part.get("tail").textValue().length())
        .isLessThanOrEqualTo(KeptContent.MOST_OUTPUT)
        .isGreaterThan(KeptContent.MOST_OUTPUT - 10);
    assertThat(part.get("bytes").longValue()).isEqualTo(240_012);
    assertThat(part.get("sha256").textValue()).isEqualTo("sha256:" + Sha256.hex(text));
  }

  @Test
  void allPartsOfACallShareOneBound() throws Exception {
    String long20 = "x".repeat(20_000);
    JsonNode output = output("{\"content\":[" + text(long20) + "," + text(long20 + "y") + "]}");

    assertThat(output.get(0).get("text").textValue()).hasSize(20_000);
    assertThat(output.get(1).get("bytes").longValue()).isEqualTo(20_001);
    assertThat(output.toString().length()).isLessThan(KeptContent.MOST_OUTPUT + 1000);
  }

  @Test
  void aTaskKeepsNoMoreThanItsBoundOfAllCalls() throws Exception {
    KeptContent kept = new KeptContent();
    ToolCall call = call("{\"content\":[" + text("x".repeat(100_000)) + "]}");
    long all = 0;
    ObjectNode last = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < 300; i++) {
      last = JsonNodeFactory.instance.objectNode();
      kept.addOutput(call, last);
      all += last.toString().length();
    }

    assertThat(all).isLessThan(KeptContent.MOST_OF_TASK + 300 * 300);
    assertThat(last.at("/output/0/text").textValue()).isEmpty();
    assertThat(last.at("/output/0/bytes").intValue()).isEqualTo(100_000);
    assertThat(last.at("/output/0/sha256").textValue()).startsWith("sha256:");
  }

  @Test
  void anInputIsKeptOnceAndItsPlaceholderIsNone() throws Exception {
    KeptContent kept = new KeptContent();
    ObjectNode placeholder = JsonNodeFactory.instance.objectNode();
    ObjectNode first = JsonNodeFactory.instance.objectNode();
    ObjectNode again = JsonNodeFactory.instance.objectNode();
    kept.addInput(call("{\"rawInput\":{}}"), placeholder);
    kept.addInput(call("{\"rawInput\":{\"command\":\"make\"}}"), first);
    kept.addInput(call("{\"rawInput\":{\"command\":\"make\"}}"), again);

    assertThat(placeholder.isEmpty()).isTrue();
    assertThat(first).hasToString("{\"input\":{\"command\":\"make\"}}");
    assertThat(again.isEmpty()).isTrue();
  }

  @Test
  void aLongInputIsCutWithSizeAndHash() throws Exception {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    ToolCall call = call("{\"rawInput\":{\"content\":\"" + "x".repeat(100_000) + "\"}}");
    new KeptContent().addInput(call, event);

    assertThat(event.at("/input_cut/text").textValue()).startsWith("{\"content\":\"xxx");
    assertThat(event.at("/input_cut/bytes").intValue()).isEqualTo(call.rawInput().length());
    assertThat(event.at("/input_cut/sha256").textValue())
        .isEqualTo("sha256:" + Sha256.hex(call.rawInput().bytes()));
  }
}
