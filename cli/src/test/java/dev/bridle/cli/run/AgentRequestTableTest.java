package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.preset.AgentPreset;
import dev.bridle.host.preset.AgentPresets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The documentation has what was recorded of agents, and presets name the recorded versions. */
final class AgentRequestTableTest {
  @Test
  void theDocumentationHasTheTableOfWhatWasRecorded() throws IOException {
    String table = String.join("\n", AgentRequestTable.of(RecordedRequests.readAll()));

    assertThat(Files.readString(Path.of("..", "docs", "run.md")))
        .as("docs/run.md should have this table:%n%n%s%n", table)
        .contains(table + "\n");
  }

  @Test
  void eachAgentIsRecordedInTheVersionThatIsInstalled() throws IOException {
    for (LedAgent agent : LedAgent.values()) {
      JsonNode recorded = RecordedRequests.read(agent).orElseThrow();
      assertThat(recorded.path("version").asText()).as(agent.id()).isEqualTo(agent.version());
      assertThat(agent.pinned()).as("pinned version of %s", agent.id()).isEqualTo(agent.version());
    }
  }

  @Test
  void eachPresetIsTestedWithARecordedVersion() {
    for (AgentPreset preset : AgentPresets.load().all()) {
      LedAgent agent = LedAgent.valueOf(preset.name().toUpperCase(Locale.ROOT));
      assertThat(preset.about().tested()).as(preset.name()).isEqualTo(List.of(agent.version()));
      assertThat(preset.programs()).as(preset.name()).contains(agent.program());
    }
  }
}
