package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.run.AgentProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server is killed while a tool of the host is at work for an agent. */
@Tag("slow")
final class KilledHostToolIT {
  @TempDir private Path directory;
  private RuntimeServer server;

  @BeforeEach
  void make() throws Exception {
    server = new RuntimeServer(directory);
    server.write(server.runtime("session"));
    server.start();
  }

  /** Also where a check failed: what it leaves would be taken for another test's. */
  @AfterEach
  void killServer() {
    server.process().kill();
  }

  @Test
  void theRecordSaysThatTheOutcomeOfItsCommandIsUnknownAndNothingGoesOn() throws Exception {
    String mark = "mark-" + UUID.randomUUID();
    String command = "echo begun >> effect; while [ ! -e go ]; do sleep 0.2; done; : " + mark;
    String prompt = "tool run_command {\"command\":\"" + command + "\"}";
    String task = server.submit(server.session(), prompt);
    server.awaitStatus(task, "AUTH_REQUIRED");
    String request = server.request(task).path("id").asText();
    server.answer(task, true, "");
    Path effect = server.folder().resolve("effect");
    await("the command").atMost(Duration.ofMinutes(3)).until(() -> Files.exists(effect));

    server.process().kill();
    await("the end of the command")
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () -> {
              assertThat(AgentProgram.with(mark)).isEmpty();
              assertThat(server.agentsLeft()).isEmpty();
            });
    server.start();

    server.awaitStatus(task, "AUTH_REQUIRED");
    assertThat(server.request(task).path("id").asText())
        .as("another request")
        .isNotEqualTo(request);
    server.answer(task, false, "once is enough");
    server.awaitStatus(task, "COMPLETED");
    assertThat(server.payloads(task, "vendor.agent_host.outcome_unknown"))
        .singleElement()
        .asString()
        .contains("\"title\":\"Run echo begun", "\"permission_request_id\":\"" + request + "\"");
    assertThat(Files.readString(server.folder().resolve("prompts")))
        .contains("- allowed, outcome unknown: Run echo begun");
    assertThat(effect).hasContent("begun");
    assertThat(server.text(task)).contains("once is enough");
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }
}
