package dev.bridle.host.preset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.host.acp.SessionSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentStartTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String CONFIGURATION = "OPENCODE_CONFIG_CONTENT";

  @TempDir Path folder;
  private final AgentPresets presets = AgentPresets.load();

  @Test
  void anAgentIsKnownByTheNameOfItsProgram() {
    assertThat(presets.of(List.of("opencode", "acp"))).map(AgentPreset::name).contains("opencode");
    assertThat(presets.of(List.of("/usr/local/bin/qwen"))).map(AgentPreset::name).contains("qwen");
    assertThat(presets.of(List.of("opencode-2"))).isEmpty();
    assertThat(presets.of(List.of("/"))).isEmpty();
  }

  @Test
  void aPresetReplacesOnlyWhatDecidesWhetherTheAgentAsks() throws IOException {
    String given =
        "{\"model\":\"a/b\",\"permission\":{\"bash\":{\"*\":\"allow\"},\"read\":\"allow\"},"
            + "\"agent\":{\"build\":{\"model\":\"c/d\",\"permission\":\"allow\"}}}";

    JsonNode set =
        MAPPER.readTree(
            start(Map.of(CONFIGURATION, given)).environment().variables().get(CONFIGURATION));

    assertThat(set.at("/model").textValue()).isEqualTo("a/b");
    assertThat(set.at("/permission/read").textValue()).isEqualTo("allow");
    assertThat(set.at("/permission/bash").textValue()).isEqualTo("ask");
    assertThat(set.at("/agent/build/model").textValue()).isEqualTo("c/d");
    assertThat(set.at("/agent/build/permission/edit").textValue()).isEqualTo("ask");
    assertThat(set.at("/share").textValue()).isEqualTo("disabled");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "\"x\"", "{\"key\":\"sk-1234\""})
  void aVariableThatHoldsNoObjectIsRefusedWithoutItsValue(String given) {
    assertThatThrownBy(() -> start(Map.of(CONFIGURATION, given)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(CONFIGURATION)
        .hasMessageNotContaining("1234")
        .hasNoCause();
  }

  @Test
  void keysOfProvidersArePassedAndOthersAreNot() throws IOException {
    AgentStart start =
        start(
            Map.of("PATH", "/bin", "OPENAI_API_KEY", "k", "AWS_SECRET_ACCESS_KEY", "s", "X", "1"));

    assertThat(start.environment().variables()).containsKeys("PATH", "OPENAI_API_KEY");
    assertThat(start.environment().variables()).doesNotContainKeys("AWS_SECRET_ACCESS_KEY", "X");
    assertThat(start.environment().withheld()).isEqualTo(2);
    assertThat(start.asks()).isTrue();
    assertThat(start.toString()).doesNotContain("=k");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--yolo", "-y", "--approval-mode", "--approval-mode=yolo"})
  void anArgumentThatStopsAnAgentFromAskingIsRefused(String argument) {
    AgentPreset qwen = presets.of(List.of("qwen")).orElseThrow();

    assertThatThrownBy(
            () ->
                AgentStart.of(qwen, List.of("qwen", "--acp", argument), Map.of(), Set.of(), folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("decides whether it asks");
  }

  @Test
  void aFileOfAPresetIsWrittenAnewAtEachStart() throws IOException {
    AgentPreset qwen = presets.of(List.of("qwen")).orElseThrow();
    Path own = folder.resolve("own");
    List<String> command = List.of("qwen", "--acp");
    AgentStart first = AgentStart.of(qwen, command, Map.of(), Set.of(), own);
    Path file = Path.of(first.environment().variables().get("QWEN_CODE_SYSTEM_SETTINGS_PATH"));
    Files.writeString(file, "{\"permissions\":{\"allow\":[\"*\"]}}");

    AgentStart second = AgentStart.of(qwen, command, Map.of(), Set.of(), own);

    assertThat(second).isEqualTo(first);
    assertThat(MAPPER.readTree(file.toFile()).at("/permissions/ask").isEmpty()).isFalse();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
        .isEqualTo("rwx------");
    assertThat(first.arguments()).containsExactly("qwen", "--acp", "--approval-mode", "default");
  }

  @Test
  void ofAnAgentThatNobodyKnowsNothingIsPromised() {
    AgentStart start = AgentStart.unknown(List.of("mine"), Map.of("HOME", "/h"), Set.of());

    assertThat(start.asks()).isFalse();
    assertThat(start.environment().variables()).containsExactly(Map.entry("HOME", "/h"));
  }

  @Test
  void anAgentWhoseSessionsBeginInAModeThatDoesNotAskIsSetToOneThatAsks() throws IOException {
    AgentPreset claude = presets.of(List.of("/opt/claude-agent-acp")).orElseThrow();
    AgentStart start =
        AgentStart.of(claude, List.of("claude-agent-acp"), Map.of(), Set.of(), folder);
    SessionSettings plan = new SessionSettings(Optional.empty(), Optional.of("plan"), Map.of());

    assertThat(start.session().settings(SessionSettings.NONE).mode()).contains("default");
    assertThat(start.session().settings(plan).mode()).contains("plan");
    assertThat(start.session().meta().at("/claudeCode/options/settingSources").toString())
        .isEqualTo("[\"user\"]");
    assertThat(start(Map.of()).session()).isEqualTo(SessionPreset.NONE);
  }

  @Test
  void anArgumentNamesAFileOfThePreset() throws IOException {
    AgentPreset gemini = presets.of(List.of("gemini")).orElseThrow();

    AgentStart start =
        AgentStart.of(gemini, List.of("gemini", "--acp"), Map.of(), Set.of(), folder);

    Path policy = folder.resolve("asking.toml");
    assertThat(start.arguments())
        .containsExactly(
            "gemini", "--acp", "--approval-mode", "default", "--admin-policy", policy.toString());
    assertThat(policy).content().contains("decision = \"ask_user\"");
  }

  @Test
  void anAgentThatNothingMakesAskIsKnownByWhatItSaysOtherwiseInEachCall() {
    AgentStart codex = AgentStart.unknown(List.of("/opt/codex-acp"), Map.of(), Set.of());

    assertThat(codex.asks()).isFalse();
    assertThat(codex.mustAsk()).isFalse();
    assertThat(codex.requests().perCall()).contains("started_at_ms", "turn_id");
    assertThat(AgentStart.unknown(List.of("mine"), Map.of(), Set.of()).requests())
        .isEqualTo(RequestTraits.NONE);
  }

  private AgentStart start(Map<String, String> whole) throws IOException {
    AgentPreset opencode = presets.of(List.of("opencode")).orElseThrow();
    return AgentStart.of(opencode, List.of("opencode", "acp"), whole, Set.of(), folder);
  }
}
