package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.task.HostEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session that goes on with an agent that has lost its own. */
@Tag("slow")
final class ForgottenSessionIT {
  @TempDir private Path directory;

  @AfterEach
  void stopServer() throws IOException {
    ScriptedProject.stopServer(directory.resolve("data"));
  }

  @Test
  void theAgentIsToldWhatWasSaidBeforeAndNothingTwice() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("project")).toRealPath();
    Path agent = AgentProgram.make(directory, "agent", ScriptedAgent.class);
    String session;
    try (HostedFolder hosted = new HostedFolder(folder, directory.resolve("data"), agent)) {
      session = hosted.session();
      String task = hosted.submit(session, "say The door is red.");
      hosted.awaitStatus(task, "COMPLETED");
      assertThat(opened(hosted, task).path("how").asText()).isEqualTo("new");
      assertThat(opened(hosted, task).has("transcript_messages")).isFalse();
    }
    Files.createFile(folder.resolve("forget"));
    try (HostedFolder hosted = new HostedFolder(folder, directory.resolve("data"), agent)) {
      String task = hosted.submit(session, "say The door is green.");
      hosted.awaitStatus(task, "COMPLETED");
      assertThat(opened(hosted, task).path("how").asText()).isEqualTo("fresh");
      assertThat(opened(hosted, task).path("transcript_messages").asInt()).isEqualTo(2);
      hosted.awaitStatus(hosted.submit(session, "say It is open."), "COMPLETED");
    }

    String prompts = Files.readString(folder.resolve("prompts"));
    assertThat(prompts)
        .containsSubsequence(
            "say The door is red.",
            "You do not remember this session.",
            "User:\n> say The door is red.",
            "Agent:\n> say The door is red.",
            "say The door is green.",
            "say It is open.")
        .containsOnlyOnce("You do not remember this session.");
  }

  /** What keeps the session of the agent is written before the agent is told anything. */
  @Test
  void anAgentThatDiesBeforeItHeardIsToldAgain() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("project")).toRealPath();
    Path agent = AgentProgram.make(directory, "agent", ScriptedAgent.class);
    try (HostedFolder hosted = new HostedFolder(folder, directory.resolve("data"), agent)) {
      hosted.awaitStatus(hosted.submit(hosted.session(), "say The door is red."), "COMPLETED");
      hosted.agentProcesses().forEach(ProcessHandle::destroyForcibly);
      Files.createFile(folder.resolve("forget"));
      Files.createFile(folder.resolve("deaf"));

      String task = hosted.submit(hosted.session(), "say The door is green.");
      hosted.awaitStatus(task, "COMPLETED");

      assertThat(Files.readString(folder.resolve("prompts")))
          .containsSubsequence(
              "say The door is red.",
              "User:\n> say The door is red.",
              "Go on with the task",
              "say The door is green.");
    }
  }

  private static JsonNode opened(HostedFolder hosted, String task) {
    List<JsonNode> events = new ArrayList<>();
    hosted.client().rows("/v1/tasks/" + task + "/events", Integer.MAX_VALUE, events::add);
    return events.stream()
        .filter(event -> event.path("event").asText().equals(HostEvents.OPENED))
        .findFirst()
        .orElseThrow()
        .path("payload");
  }
}
