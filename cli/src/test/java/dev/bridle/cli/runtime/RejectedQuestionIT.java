package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.run.AgentProgram;
import dev.bridle.host.task.HostEvents;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions of a server's runtime that the core rejects, so that no person is asked. */
@Tag("slow")
final class RejectedQuestionIT {
  @TempDir private static Path directory;
  private static RuntimeServer server;

  @BeforeAll
  static void start() throws IOException {
    server =
        new RuntimeServer(
            directory, AgentProgram.make(directory, "unaskable", UnaskableAgent.class));
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
    "deep, nested deeper than 64 levels",
    "wide, 262144",
    "half, holds half of a surrogate pair",
    "form, nested deeper than 64 levels",
  })
  void theAgentLearnsWhyNobodyWasAskedAndItsTaskGoesOn(String prompt, String reason) {
    String session = server.session();
    String task = server.submit(session, prompt);

    server.awaitStatus(task, "COMPLETED");
    assertThat(server.text(task)).startsWith("answered {").contains("\"error\"", reason);
    assertThat(server.folder().resolve("made")).doesNotExist();
    assertThat(server.request(task).isMissingNode()).as("a question for people").isTrue();
    assertThat(server.payloads(task, HostEvents.QUESTION_REJECTED))
        .singleElement()
        .asString()
        .contains(reason);
    assertThat(server.payloads(task, "task.started")).as("attempts").hasSize(1);
  }

  @Test
  void theSameSessionAsksPeopleAgain() {
    String session = server.session();
    server.awaitStatus(server.submit(session, "deep"), "COMPLETED");

    String task = server.submit(session, "plain");
    server.awaitStatus(task, "AUTH_REQUIRED");
    assertThat(server.folder().resolve("made")).doesNotExist();
    server.answer(task, false, "");

    server.awaitStatus(task, "COMPLETED");
    assertThat(server.text(task)).contains("\"optionId\":\"no\"");
    assertThat(server.folder().resolve("made")).doesNotExist();
  }
}
