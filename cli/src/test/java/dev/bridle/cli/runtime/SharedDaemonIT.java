package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.run.AgentProgram;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon, whose one process serves all sessions of a folder. */
@Tag("slow")
final class SharedDaemonIT {
  @TempDir private Path directory;
  private RuntimeServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        new RuntimeServer(directory, AgentProgram.make(directory, "shared", SharedAgent.class));
    server.write(server.runtime("daemon"));
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  /** Submits a task that goes on until another one frees it, and waits until it works. */
  private String held(String session) {
    String task = server.submit(session, "hold");
    server.awaitEvent(task, "holding");
    return task;
  }

  @Test
  void sessionsShareOneProcessWhichGoesOnAfterTheirTasks() {
    String first = server.session();
    String second = server.session();
    String held = held(first);

    String process = server.said(second, "who");
    assertThat(server.status(held)).isEqualTo("WORKING");
    assertThat(server.said(second, "free")).isEqualTo(process);
    server.awaitStatus(held, "COMPLETED");

    assertThat(server.said(first, "who")).isEqualTo(process);
    assertThat(server.said(server.session(), "who")).isEqualTo(process);
    assertThat(server.agents()).isEqualTo(1);
  }

  @Test
  void aCanceledTaskEndsWithoutTheOtherSessions() {
    String first = server.session();
    String second = server.session();
    String canceled = held(first);
    String held = held(second);

    server.cancel(canceled);
    server.awaitStatus(canceled, "CANCELED");

    String process = server.said(first, "free");
    server.awaitStatus(held, "COMPLETED");
    assertThat(server.events(held).toString()).doesNotContain("vendor.agent_host.restarted");
    assertThat(server.said(second, "who")).isEqualTo(process);
  }

  @Test
  void aCallOfAHostToolIsRefusedWhileSeveralSessionsWork() {
    String first = server.session();
    String second = server.session();
    String held = held(first);

    assertThat(server.said(second, "look")).contains("No task is known that this call is of");
    assertThat(server.events(held).toString()).doesNotContain("list_files");

    assertThat(server.said(second, "free")).startsWith("process ");
    server.awaitStatus(held, "COMPLETED");
    assertThat(server.said(second, "look"))
        .contains("\"result\"")
        .doesNotContain("No task is known that this call is of");
  }

  @Test
  void aDaemonThatEndsAtWorkIsStartedOnceForAllItsSessions() {
    String first = server.session();
    String second = server.session();
    String before = server.said(first, "who");
    String held = held(second);

    String fatal = server.submit(first, "die");
    server.awaitStatus(fatal, "COMPLETED");
    server.awaitStatus(held, "COMPLETED");

    assertThat(server.events(fatal).toString()).contains("vendor.agent_host.restarted");
    assertThat(server.events(held).toString()).contains("vendor.agent_host.restarted");
    String after = server.said(server.session(), "who");
    assertThat(after).startsWith("process ").isNotEqualTo(before);
    assertThat(server.text(fatal)).isEqualTo(after);
    assertThat(server.text(held)).isEqualTo("holding" + after);
    assertThat(server.agents()).isEqualTo(1);
  }

  @Test
  void aDaemonThatEndsBetweenTasksIsStartedAgainForANewSession() {
    String before = server.said(server.session(), "who");
    server.killAgents();

    String after = server.said(server.session(), "who");
    assertThat(after).startsWith("process ").isNotEqualTo(before);
  }
}
