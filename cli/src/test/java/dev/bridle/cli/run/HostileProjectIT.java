package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Agents that a preset makes ask do so in a folder whose settings allow everything, for a person
 * whose own settings allow everything.
 */
@Tag("slow")
final class HostileProjectIT {
  @TempDir private static Path shared;

  @TempDir private Path directory;
  private Path folder;

  @BeforeEach
  void make() throws IOException {
    folder = Files.createDirectories(directory.resolve("project")).toRealPath();
    HostileSettings.plant(folder);
    HostileSettings.plantAtHome(directory.resolve("home"));
  }

  @AfterAll
  static void stopServer() throws IOException {
    ScriptedProject.stopServer(data());
  }

  @ParameterizedTest
  @EnumSource(names = {"CLAUDE", "GEMINI"})
  void itAsksBeforeACommand(LedAgent agent) throws Exception {
    assertAsks(agent, agent.script("echo made > made.txt"));
  }

  @ParameterizedTest
  @EnumSource(names = {"CLAUDE", "GEMINI"})
  void itAsksBeforeAnEdit(LedAgent agent) throws Exception {
    assertAsks(agent, ModelScript.write(folder.resolve("made.txt"), "made\n"));
  }

  private void assertAsks(LedAgent agent, ModelScript script) throws Exception {
    LedRun.assumeThere(agent);
    try (LedRun run = LedRun.start(agent, directory, data(), script, "--approve", "deny")) {
      assertThat(run.terminal().exit()).as("%s", run.terminal().all()).isEqualTo(12);
      assertThat(RequestShape.of(run.agent().frames()))
          .extracting((JsonNode frame) -> frame.path("frame").asText())
          .contains("request_permission", "answer");
    }
    HostileSettings.assertNothingElseIn(folder);
  }

  private static Path data() {
    return shared.resolve("data");
  }
}
