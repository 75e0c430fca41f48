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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void itsSessionIsIdleWhileItWaitsAndActiveWhileItWorks() {
    String session = server.session();
    assertThat(state(session)).isEqualTo("ACTIVE");
    assertThat(server.said(session, "one")).isEqualTo("did one");
    assertThat(state(session)).isEqualTo("IDLE");

    String task = server.submit(session, "listen");
    server.awaitEvent(task, "vendor.agent_host.text");
    assertThat(state(session)).isEqualTo("ACTIVE");
    server.say(task, JsonLines.object().put("mode", "finish_step"), "go on");
    server.awaitStatus(task, "COMPLETED");
    assertThat(state(session)).isEqualTo("IDLE");

    String woken = server.submit(session, " ");
    server.awaitStatus(woken, "COMPLETED");
    assertThat(state(session)).isEqualTo("IDLE");
    assertThat(server.client().get("/v1/sessions/" + session + "/events?limit=200").path("data"))
        .filteredOn(event -> event.path("event").asText().equals("vendor.bridle.session_updated"))
        .extracting(event -> event.at("/payload/state").asText())
        .containsExactly("IDLE", "ACTIVE", "IDLE", "ACTIVE", "IDLE");
  }

  private static String state(String session) {
    return server.client().get("/v1/sessions/" + session).path("state").asText();
  }

  @ParameterizedTest
  @ValueSource(strings = {"finish_step", "interrupt_immediate"})
  void whatTheUserSaysMeanwhileReachesItInTheMidstOfATurn(String mode) {
    String task = server.submit(server.session(), "listen");
    server.awaitEvent(task, "vendor.agent_host.text");

    server.say(task, JsonLines.object().put("mode", mode), "stop that");

    server.awaitStatus(task, "COMPLETED");
    assertThat(server.text(task)).isEqualTo("listeningheard stop that " + mode);
  }

  @Test
  void itFetchesASkillOfTheRegistryWithItsBodyAndManifest() {
    ObjectNode skill =
        JsonLines.object()
            .put("name", "release")
            .put("description", "Ships a release")
            .put("body", "# Release runbook");
    skill.putObject("manifest").put("when_to_use", "on release days");
    String id =
        server.client().post("/v1/skills", skill, UUID.randomUUID().toString()).path("id").asText();

    assertThat(server.said(server.session(), "fetch " + id))
        .contains(
            "\"name\":\"release\"",
            "\"body\":\"# Release runbook\"",
            "\"manifest\":{\"when_to_use\":\"on release days\"}");
  }

  @Test
  void aSkillIsRankedByTheBodyThatTheRegistryHas() {
    var unused =
        server
            .client()
            .post(
                "/v1/skills",
                JsonLines.object()
                    .put("name", "undo")
                    .put("description", "For bad days")
                    .put("body", "# Roll back a broken deployment"),
                UUID.randomUUID().toString());
    String session = server.session();

    assertThat(server.said(session, "match undo please roll this back"))
        .contains("\"name\":\"undo\"", "matched by words");
    assertThat(server.said(session, "match undo something else"))
        .isEqualTo("skill {\"matches\":[]}");
  }

  @Test
  void whatItNotifiesIsInTheTasksRecord() {
    String task = server.submit(server.session(), "notices");
    server.awaitStatus(task, "COMPLETED");

    assertThat(server.payloads(task, "vendor.agent_host.output"))
        .singleElement()
        .asString()
        .contains("half done");
    assertThat(server.payloads(task, "vendor.agent_host.progress"))
        .singleElement()
        .asString()
        .contains("\"done\":1");
    assertThat(server.payloads(task, "vendor.agent_host.log"))
        .singleElement()
        .asString()
        .contains("hot");
  }

  @Test
  void itIsToldBetweenTasksThatSkillsHaveChanged() {
    String session = server.session();
    int skills = server.client().get("/v1/skills").path("data").size();
    assertThat(server.said(session, "skills")).isEqualTo("skills " + skills);
    assertThat(server.said(session, "more")).isEqualTo("did more");
    var unused =
        server
            .client()
            .post(
                "/v1/skills",
                JsonLines.object().put("name", "deploy").put("description", "Ship it"),
                UUID.randomUUID().toString());

    assertThat(server.said(session, "again")).contains("skills have changed").contains("did again");
    assertThat(server.said(session, "skills")).isEqualTo("skills " + (skills + 1));
  }
}
