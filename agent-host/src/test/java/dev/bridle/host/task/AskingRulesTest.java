package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.rpc.RawJson;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which tool calls are a fault if nobody has allowed them. */
final class AskingRulesTest {
  private static final AskingRules FREE = rules(false, false);
  private static final AskingRules PRESET = rules(true, false);
  private static final AskingRules MUST_ASK = rules(true, true);

  @ParameterizedTest(name = "kind: {0}")
  @CsvSource({
    "execute, true, true",
    "edit, true, true",
    "delete, true, true",
    "move, true, true",
    "fetch, true, true",
    "other, false, true",
    "acme_deploy, false, true",
    "'', false, true",
    "read, false, false",
    "search, false, false",
    "think, false, false",
    "switch_mode, false, false"
  })
  void aCallThatMayActNeedsToBeAllowed(String kind, boolean byPreset, boolean byMustAsk) {
    ToolCall call =
        new ToolCall(
            "t1", kind.isEmpty() ? Map.of() : Map.of("kind", RawJson.of(TextNode.valueOf(kind))));

    assertThat(FREE.need(call)).isFalse();
    assertThat(PRESET.need(call)).isEqualTo(byPreset);
    assertThat(MUST_ASK.need(call)).isEqualTo(byMustAsk);
  }

  private static AskingRules rules(boolean mustAsk, boolean forAll) {
    return new AskingRules(mustAsk, forAll, Duration.ZERO, false, false, RequestTraits.NONE);
  }
}
