package dev.bridle.host.preset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of agents that people start without what makes them speak the protocol. */
final class AgentScreenTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "opencode, opencode acp",
    "/usr/local/bin/opencode, opencode acp",
    "opencode --model x, opencode acp",
    "qwen, qwen --acp",
    "gemini --approval-mode default, gemini --acp",
    "goose session, goose acp",
    "claude, claude-agent-acp",
    "claude --acp, claude-agent-acp",
    "codex exec, codex-acp",
  })
  void aScreenIsKnownWithTheCommandThatSpeaks(String command, String instead) {
    assertThat(AgentScreen.of(List.of(command.split(" "))).orElseThrow().command())
        .isEqualTo(instead);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "opencode acp",
        "opencode acp --cwd x",
        "qwen --acp",
        "gemini --experimental-acp",
        "goose acp",
        "claude-agent-acp",
        "codex-acp",
        "my-agent",
        "python3 opencode"
      })
  void whatSpeaksOrIsUnknownHasNone(String command) {
    assertThat(AgentScreen.of(List.of(command.split(" ")))).isEmpty();
  }

  @Test
  void eachPresetIsStartedByACommandThatSpeaks() {
    assertThat(AgentPresets.load().all())
        .allSatisfy(
            preset ->
                assertThat(AgentScreen.of(List.of(preset.about().command().split(" ")))).isEmpty());
  }
}
