package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.run.AgentProgram;
import dev.bridle.host.task.HostEvents;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents of a server that break their protocol: their tasks end, and others go on. */
@Tag("slow")
final class BadRuntimesIT {
  @TempDir private static Path directory;
  private static RuntimeServer server;

  @BeforeAll
  static void start() throws IOException {
    server = new RuntimeServer(directory, AgentProgram.make(directory, "bad", BadAgent.class));
    server.write(server.runtime("session"));
    server.start();
  }

  @AfterAll
  static void stop() {
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "noise, COMPLETED",
    "twice, COMPLETED",
    "zero, COMPLETED",
    "long, COMPLETED",
    "half, COMPLETED",
  })
  void aTaskEndsAndTheNextOneOfTheSameSessionIsServed(String prompt, String status) {
    String session = server.session();
    String task = server.submit(session, prompt);

    server.awaitEnd(task);
    assertThat(server.status(task)).as("%s", server.events(task)).isEqualTo(status);
    assertThat(server.said(session, "anything")).isEqualTo("fine");
  }

  @Test
  void theRecordSaysThatASessionWasLost() {
    String session = server.session();
    String task = server.submit(session, "half");
    server.awaitEnd(task);

    assertThat(server.payloads(task, HostEvents.OPENED))
        .extracting(payload -> payload.replaceAll(".*\"how\":\"(\\w+)\".*", "$1"))
        .startsWith("new", "fresh")
        .doesNotContain("resumed", "loaded");
    String next = server.submit(session, "anything");
    server.awaitEnd(next);
    assertThat(server.payloads(next, HostEvents.OPENED)).hasSizeLessThan(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"flood", "deaf"})
  void oneThatDoesNotEndIsCanceledWhileOthersAreServed(String prompt) {
    String session = server.session();
    String task = server.submit(session, prompt);
    server.awaitEvent(task, "vendor.agent_host.prompted");
    assertThat(server.said(server.session(), "anything")).isEqualTo("fine");

    int running = server.agentsLeft().size();
    server.cancel(task);
    server.awaitEnd(task);
    assertThat(server.status(task)).isEqualTo("CANCELED");
    // Its process has ended with the task, before the session has another one.
    await("the end of the agent")
        .atMost(Duration.ofMinutes(3))
        .until(() -> server.agentsLeft().size() < running);
    assertThat(server.said(session, "anything")).isEqualTo("fine");
  }
}
