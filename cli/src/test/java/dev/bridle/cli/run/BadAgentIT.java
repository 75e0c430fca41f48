package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.process.Commands;
import dev.bridle.cli.runtime.BadAgent;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code bridle run} of an agent that breaks its protocol: the command ends, the next one works.
 */
@Tag("slow")
final class BadAgentIT {
  @TempDir private static Path directory;
  private Path folder;
  private Path agent;

  @BeforeEach
  void make() throws IOException {
    folder = Files.createTempDirectory(directory, "project").toRealPath();
    agent = AgentProgram.make(directory, "bad", BadAgent.class);
  }

  @AfterAll
  static void stopServer() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  @AfterEach
  void hasEnded() {
    await("the end of the agents")
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(AgentProgram.left(agent)).isEmpty());
  }

  private String run(int exitCode, String prompt, String... more) {
    List<String> all = new ArrayList<>(List.of("run", "--dir", folder.toString()));
    all.addAll(List.of("--data-dir", directory.resolve("data").toString()));
    all.addAll(List.of("--approve", "deny", "--prompt", prompt));
    all.addAll(List.of(more));
    all.addAll(List.of("--", agent.toString()));
    return Commands.run(exitCode, all.toArray(String[]::new)).out();
  }

  @ParameterizedTest
  @ValueSource(strings = {"noise", "long", "twice", "zero"})
  void itsTaskIsDoneAndNothingOfTheNoiseIsShown(String prompt) {
    assertThat(run(0, prompt)).contains("done, with receipt_").doesNotContain("e noise", "port 3");
    assertThat(run(0, "anything")).contains("│ fine", "done, with receipt_");
  }

  @Test
  void itsNoiseIsCountedWhereItIsTested() {
    String said =
        Commands.run(1, "runtime", "test", "--prompt", "noise", "--", agent.toString()).out();

    assertThat(said).containsPattern("lines that are no messages: [1-9]").contains("noise: ");
  }

  @Test
  void oneThatLoadsForLongIsSaidToBeWaitedFor() throws IOException {
    Files.writeString(agent, Files.readString(agent).replace("exec ", "sleep 12\nexec "));

    assertThat(run(0, "anything"))
        .containsSubsequence(
            "bridle: the agent is still starting; it has 120 s to introduce itself",
            "the agent is one without a name",
            "│ fine",
            "done, with receipt_");
  }

  @Test
  void oneThatDiesInTheMiddleOfAMessageIsStartedAgain() {
    assertThat(run(0, "half"))
        .containsOnlyOnce("is started again")
        .contains("│ fine", "done, with receipt_");
  }

  @ParameterizedTest
  @ValueSource(strings = {"flood", "deaf"})
  void oneThatDoesNotEndIsCanceledWhenTheTimeIsUp(String prompt) {
    assertThat(run(0, "anything")).as("the server runs, and has its time").contains("│ fine");
    assertThat(run(4, prompt, "--timeout", "15s"))
        .contains("the agent is one without a name", "the time is up", "canceled");
    assertThat(run(0, "anything")).contains("│ fine", "done, with receipt_");
  }
}
