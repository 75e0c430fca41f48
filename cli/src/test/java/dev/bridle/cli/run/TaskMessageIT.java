package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bridle task message}, to tasks of an agent. */
@Tag("slow")
final class TaskMessageIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private static Path directory;
  private Path folder;
  private HostedFolder hosted;

  @BeforeEach
  void host() throws Exception {
    folder = Files.createTempDirectory(directory, "project").toRealPath();
    hosted =
        new HostedFolder(folder, directory.resolve("data"), AgentProgram.make(directory, "agent"));
  }

  @AfterEach
  void end() {
    hosted.close();
  }

  @AfterAll
  static void stopServer() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  private String begin(String prompt) {
    String task = hosted.submit(hosted.session(), prompt);
    awaitPrompts(prompt);
    return task;
  }

  private void awaitPrompts(String... expected) {
    Path file = folder.resolve("prompts");
    await("prompts")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> Files.exists(file) && Files.readAllLines(file).equals(List.of(expected)));
  }

  private Commands.Said message(int exitCode, String... words) {
    List<String> all = new ArrayList<>(List.of("task", "message"));
    all.addAll(List.of(words));
    all.addAll(List.of("--url", hosted.server().arguments().url().toString()));
    all.addAll(List.of("--api-key-file", hosted.server().arguments().keyFile().toString()));
    return Commands.run(exitCode, all.toArray(String[]::new));
  }

  @Test
  void oneWaitsForTheEndAndAnotherEndsTheTurnAtOnce() {
    String task = begin("wait");

    String queued = message(0, task, "say later").out();
    String sent = message(0, task, "--mode", "interrupt", "say stop").out();

    assertThat(queued).matches("message_\\w+  queued as task_\\w+\\R").doesNotContain(task);
    assertThat(sent).matches("message_\\w+  sent\\R");
    hosted.awaitStatus(task, "COMPLETED");
    hosted.awaitStatus(queued.strip().replaceAll(".* ", ""), "COMPLETED");
    awaitPrompts("wait", "say stop", "say later");
  }

  @Test
  void oneWaitsForTheStepAndIsPrintedAsJson() throws IOException {
    String task = begin("step file");

    JsonNode sent = Json.parse(message(0, task, "--mode", "step", "say next", "--json").out());

    assertThat(sent.path("id").asText()).startsWith("message_");
    assertThat(sent.path("task_id").asText()).isEqualTo(task);
    assertThat(sent.path("role").asText()).isEqualTo("user");
    assertThat(sent.at("/parts/0/text").asText()).isEqualTo("say next");
    Files.createFile(folder.resolve("file"));
    hosted.awaitStatus(task, "COMPLETED");
    awaitPrompts("step file", "say next");
  }

  @Test
  void aTaskThatHasEndedTakesNoneButTheNextPrompt() {
    String task = begin("say it");
    hosted.awaitStatus(task, "COMPLETED");

    for (String mode : List.of("step", "interrupt")) {
      Commands.Said refused = message(1, task, "--mode", mode, "too late");
      assertThat(refused.err()).contains("invalid_state_transition");
      assertThat(refused.out()).isEmpty();
    }
    String queued = message(0, task, "--mode", "wait", "say more").out();

    hosted.awaitStatus(queued.strip().replaceAll(".* ", ""), "COMPLETED");
    awaitPrompts("say it", "say more");
  }

  @Test
  void anUnknownTaskOrModeIsNamed() {
    Commands.Said unknown = message(1, "task_06h0pj1m3v4nrjd2tzm28kjb0m", "hello", "--json");
    Commands.Said mode = message(2, "task_06h0pj1m3v4nrjd2tzm28kjb0m", "--mode", "soon", "hello");

    assertThat(unknown.err()).contains("not_found");
    assertThat(unknown.out()).isEmpty();
    assertThat(mode.err()).contains("--mode", "soon", "interrupt");
  }
}
