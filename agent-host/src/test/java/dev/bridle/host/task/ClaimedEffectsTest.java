package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an agent says of its tools is kept as far as the core takes it. */
final class ClaimedEffectsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static ToolCall call(String json) throws Exception {
    Map<String, RawJson> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : MAPPER.readTree(json).properties()) {
      members.put(member.getKey(), RawJson.of(member.getValue()));
    }
    return new ToolCall("t1", members);
  }

  private static ToolCall returning(String output) throws Exception {
    return call("{\"status\":\"completed\",\"kind\":\"other\",\"rawOutput\":" + output + "}");
  }

  @ParameterizedTest
  @CsvSource({
    "\"plain\", true",
    "\"\\ud83d\\ude00\", true",
    "\"cut \\ud83d\", false",
    "\"\\ude00\\ud83d\", false",
  })
  void anOutputWithHalfACharacterIsKeptAsItsHash(String output, boolean kept) throws Exception {
    ClaimedEffects.Returned returned = ClaimedEffects.returned(returning(output)).orElseThrow();

    assertThat(returned.value().has("output")).isEqualTo(kept);
    assertThat(returned.value().has("bytes")).isEqualTo(!kept);
    assertThat(returned.value().get("sha256").textValue()).matches("sha256:[0-9a-f]{64}");
  }

  @Test
  void anOutputThatIsDeepOrLongIsKeptAsItsHash() throws Exception {
    assertThat(
            ClaimedEffects.returned(returning("[".repeat(40) + "]".repeat(40)))
                .orElseThrow()
                .value()
                .has("output"))
        .isTrue();
    for (String output :
        new String[] {"[".repeat(65) + "]".repeat(65), "\"" + "x".repeat(9000) + "\""}) {
      assertThat(ClaimedEffects.returned(returning(output)).orElseThrow().value().has("output"))
          .isFalse();
    }
  }

  @Test
  void aTextIsCutBetweenCharacters() {
    assertThat(KeptText.of("ab\ud83d\ude00", 3)).isEqualTo("ab");
    assertThat(KeptText.of("ab\ud83d\ude00", 4)).isEqualTo("ab\ud83d\ude00");
    assertThat(KeptText.of("a\ud83d", 9)).isEqualTo("a\ufffd");
  }

  @Test
  void aTaskPaysWhatASessionCostMoreInItsOwnCurrency() {
    SessionCost cost = new SessionCost();
    cost.begin(true);
    assertThat(cost.add(new BigDecimal("0.25"), "USD")).contains(new BigDecimal("0.25"));
    assertThat(cost.add(new BigDecimal("1000"), "JPY")).isEmpty();
    assertThat(cost.add(BigDecimal.ZERO, "USD")).isEmpty();
    assertThat(cost.add(new BigDecimal("0.30"), "USD")).contains(new BigDecimal("0.05"));

    cost.begin(false);
    assertThat(cost.add(new BigDecimal("5"), "USD")).as("of before").isEmpty();
    assertThat(cost.add(new BigDecimal("6"), "USD")).contains(BigDecimal.ONE);
  }
}
