package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the user says to an agent in the midst of a task. */
@Tag("slow")
final class UserWordsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private static Path directory;
  private Path folder;
  private Path agent;
  private HostedFolder hosted;

  @BeforeEach
  void host() throws Exception {
    folder = Files.createTempDirectory(directory, "project").toRealPath();
    agent = AgentProgram.make(directory, "agent");
    hosted = host(folder);
  }

  private HostedFolder host(Path where) throws Exception {
    return new HostedFolder(where, directory.resolve("data"), agent);
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
    awaitPrompts(List.of(prompt));
    return task;
  }

  private void say(String task, String mode, String text) {
    say(hosted.client(), task, mode, text);
  }

  private static void say(RestClient client, String task, String mode, String text) {
    ObjectNode body = JsonLines.object().put("kind", "input").put("mode", mode);
    ObjectNode message = body.putObject("message").put("role", "user");
    message
        .putArray("parts")
        .addObject()
        .put("type", "text")
        .put("text", text)
        .put("visibility", "public");
    var unused = client.post("/v1/tasks/" + task + "/messages", body, UUID.randomUUID().toString());
  }

  private List<String> prompts() throws IOException {
    Path file = folder.resolve("prompts");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private void awaitPrompts(List<String> expected) {
    await("prompts")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(prompts()).isEqualTo(expected));
  }

  @Test
  void anInterruptEndsTheTurnAndTheTaskGoesOnWithIt() {
    String task = begin("wait");
    say(task, "interrupt_immediate", "say something else");

    hosted.awaitStatus(task, "COMPLETED");
    awaitPrompts(List.of("wait", "say something else"));
  }

  @Test
  void anInterruptWithdrawsTheOpenQuestion() {
    String task = begin("make it");
    hosted.awaitStatus(task, "AUTH_REQUIRED");
    say(task, "interrupt_immediate", "say no more");

    hosted.awaitStatus(task, "COMPLETED");
    awaitPrompts(List.of("make it", "say no more"));
    assertThat(folder.resolve("it")).doesNotExist();
  }

  @Test
  void whatWaitsForTheStepLeavesTheQuestionOpen() {
    String task = begin("make it");
    hosted.awaitStatus(task, "AUTH_REQUIRED");
    say(task, "finish_step", "say thanks");
    hosted.approveToTheEnd(task);

    assertThat(hosted.status(task)).isEqualTo("COMPLETED");
    awaitPrompts(List.of("make it", "say thanks"));
    assertThat(folder.resolve("it")).exists();
  }

  @Test
  void whatWaitsForTheStepIsPromptedAfterTheToolCall() throws IOException {
    String task = begin("step file");
    say(task, "finish_step", "say next");
    Files.createFile(folder.resolve("file"));

    hosted.awaitStatus(task, "COMPLETED");
    awaitPrompts(List.of("step file", "say next"));
  }

  @Test
  void whatWaitsForTheEndIsTheNextTaskOfTheSession() {
    String task = begin("wait");
    say(task, "wait_for_completion", "say later");
    say(task, "interrupt_immediate", "say stop");

    hosted.awaitStatus(task, "COMPLETED");
    awaitPrompts(List.of("wait", "say stop", "say later"));
  }

  @Test
  void aTaskThatWaitsInTheQueueDoesNotOvertakeAnOpenQuestion() {
    String task = begin("make it");
    hosted.awaitStatus(task, "AUTH_REQUIRED");
    String queued = hosted.submit(hosted.session(), "say later");
    hosted.approveToTheEnd(task);

    assertThat(hosted.status(task)).isEqualTo("COMPLETED");
    hosted.awaitStatus(queued, "COMPLETED");
    awaitPrompts(List.of("make it", "say later"));
  }

  @Test
  void whatAKilledRunWasToldIsPromptedOnceByTheNext() throws Exception {
    hosted.close();
    try (AtTerminal terminal = run("wait")) {
      terminal.kill();
      sayToNewest("say it once"); // Its lease is not over yet.
    }
    hosted = host(folder);

    hosted.awaitStatus(newest(hosted.client()), "COMPLETED");
    assertThat(prompts()).containsOnlyOnce("say it once").contains("wait");
  }

  @Test
  void whatARunHadHeardAndNotPromptedWhenItWasKilledIsPromptedOnceByTheNext() throws Exception {
    hosted.close();
    try (AtTerminal terminal = run("linger told")) {
      sayToNewest("say it once");
      await("the cancel of the turn, for the message")
          .atMost(PATIENCE)
          .until(() -> Files.exists(folder.resolve("told")));
      terminal.kill();
    }
    assertThat(prompts()).containsExactly("linger told");
    hosted = host(folder);

    hosted.awaitStatus(newest(hosted.client()), "COMPLETED");
    assertThat(prompts()).containsOnlyOnce("say it once");
  }

  private AtTerminal run(String prompt) throws IOException {
    AtTerminal terminal =
        new ScriptedProject(folder, directory.resolve("data"), agent)
            .atTerminal("--prompt", prompt);
    terminal.expect("│ waiting");
    return terminal;
  }

  private void sayToNewest(String text) throws IOException {
    Path data = directory.resolve("data");
    RestClient client =
        RestClient.ofKnown(
            URI.create(ServerFile.read(data).orElseThrow().httpUrl()),
            Files.readString(data.resolve(DetachedServer.KEY_FILE)).strip(),
            System.out::println);
    say(client, newest(client), "interrupt_immediate", text);
  }

  private static String newest(RestClient client) {
    return client.get("/v1/tasks?limit=1").path("data").get(0).path("id").asText();
  }
}
