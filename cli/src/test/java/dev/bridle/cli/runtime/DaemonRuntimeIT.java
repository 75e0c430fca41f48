package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.run.AgentProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A runtime that lives on between tasks, and ends each by being idle. */
@Tag("slow")
final class DaemonRuntimeIT {
  @TempDir private static Path directory;
  private static RuntimeServer server;

  @BeforeAll
  static void start() throws IOException {
    server =
        new RuntimeServer(directory, AgentProgram.make(directory, "daemon", DaemonAgent.class));
    server.write(server.runtime("session"));
    server.start();
  }

  @AfterAll
  static void stop() {
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  @Test
  void itsFirstIdleCompletesATaskAndTheNextOneIsAMessage() {
    String session = server.session();
    assertThat(server.said(session, "one")).isEqualTo("did one");
    assertThat(server.said(session, "two")).isEqualTo("did two");

    String woken = server.submit(session, " ");
    server.awaitStatus(woken, "COMPLETED");
    assertThat(server.text(woken)).isEqualTo("woken");
    assertThat(server.events(woken).toString()).contains("vendor.agent_host.idle");

    String alone = server.submit(server.session(), " ");
    server.awaitStatus(alone, "FAILED");
    assertThat(server.events(alone).toString()).contains("empty_prompt");
  }

  @Test
  void whatTheUserSaysMeanwhileReachesItInTheMidstOfATurn() {
    String task = server.submit(server.session(), "listen");
    server.awaitEvent(task, "vendor.agent_host.text");
    ObjectNode message = JsonLines.object().put("kind", "input").put("mode", "finish_step");
    message
        .putObject("message")
        .put("role", "user")
        .putArray("parts")
        .addObject()
        .put("type", "text")
        .put("visibility", "public")
        .put("text", "stop that");
    var unused =
        server
            .client()
            .post("/v1/tasks/" + task + "/messages", message, UUID.randomUUID().toString());

    server.awaitStatus(task, "COMPLETED");
    assertThat(server.text(task)).isEqualTo("listeningheard stop that finish_step");
  }

  @Test
  void itIsToldBetweenTasksThatSkillsHaveChanged() {
    String session = server.session();
    assertThat(server.said(session, "skills")).isEqualTo("skills 0");
    assertThat(server.said(session, "more")).isEqualTo("did more");
    var unused =
        server
            .client()
            .post(
                "/v1/skills",
                JsonLines.object().put("name", "deploy").put("description", "Ship it"),
                UUID.randomUUID().toString());

    assertThat(server.said(session, "again")).contains("skills have changed").contains("did again");
    assertThat(server.said(session, "skills")).isEqualTo("skills 1");
  }
}
