package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.run.AgentProgram;
import dev.bridle.cli.run.ScriptedAgent;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of agents that the server hosts: their logs are replayed, and they are not run again. */
@Tag("slow")
final class HostedReplayIT {
  private static final String REASON =
      "the task's handler does not declare that it records all that decides on its runs; replay"
          + " its log (`log`)";

  @TempDir private Path directory;

  @Test
  void theTasksOfAnAcpAgentAreReplayedFromTheirLogsAlone() throws IOException {
    try (RuntimeServer server = started(ScriptedAgent.class)) {
      String session = server.session();
      String made = server.submit(session, "make one.txt");
      server.awaitStatus(made, "AUTH_REQUIRED");
      server.answer(made, true, "");
      server.awaitStatus(made, "COMPLETED");
      String refused = server.submit(session, "tool run_command {\"command\":\"touch never\"}");
      server.awaitStatus(refused, "AUTH_REQUIRED");
      server.answer(refused, false, "no commands");
      server.awaitStatus(refused, "COMPLETED");
      String canceled = server.submit(session, "wait");
      server.awaitEvent(canceled, "vendor.agent_host.text");
      server.cancel(canceled);
      server.awaitStatus(canceled, "CANCELED");
      String prompts = Files.readString(server.folder().resolve("prompts"));

      for (String task : List.of(made, refused, canceled)) {
        assertReplayedFromItsLog(server, task);
      }
      assertThat(server.folder().resolve("prompts")).as("the agent").hasContent(prompts);
    }
  }

  @Test
  void theTaskOfABridgeThatHasUsedAToolIsReplayedFromItsLogAlone() throws IOException {
    try (RuntimeServer server = started(BridgeAgent.class)) {
      String task =
          server.submit(server.session(), "call run_command {\"command\":\"echo hi >> said\"}");
      server.awaitStatus(task, "AUTH_REQUIRED");
      server.answer(task, true, "");
      server.awaitStatus(task, "COMPLETED");

      assertReplayedFromItsLog(server, task);

      assertThat(server.folder().resolve("said")).as("the command").hasContent("hi");
    }
  }

  private RuntimeServer started(Class<?> agent) throws IOException {
    RuntimeServer server =
        new RuntimeServer(directory, AgentProgram.make(directory, "agent", agent));
    server.write(server.runtime("session"));
    server.start();
    return server;
  }

  private void assertReplayedFromItsLog(RuntimeServer server, String task) throws IOException {
    JsonNode replay = Json.parse(replay(server, ExitCodes.DONE, task, "--json").out());
    assertThat(replay.get("replayed").booleanValue()).isTrue();
    assertThat(replay.get("status").textValue()).isEqualTo(server.status(task));
    assertThat(replay.get("events").intValue()).isEqualTo(server.events(task).size());

    String event = server.events(task).get(0).get("id").textValue();
    Path answers = directory.resolve("answers.json");
    Files.writeString(answers, "{\"llm:1\":{\"value\":1}}");
    for (List<String> options :
        List.of(
            List.of("--depth", "execute"),
            List.of("--override", answers.toString()),
            List.of("--from-checkpoint", event))) {
      List<String> words = new ArrayList<>(options);
      words.add(task);
      assertThat(replay(server, ExitCodes.FAILED, words.toArray(String[]::new)).err())
          .as("%s", options)
          .contains(REASON);
    }
  }

  private Commands.Said replay(RuntimeServer server, int exitCode, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "replay",
                "--url",
                server.process().url().toString(),
                "--api-key-file",
                directory.resolve("data").resolve("api.key").toString()));
    words.addAll(List.of(more));
    return Commands.run(exitCode, words.toArray(String[]::new));
  }
}
