package dev.bridle.cli.process;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.fixtures.client.SocketStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Approval rules as people manage them at a terminal, and as they bind answers over sockets. */
final class PolicyCommandsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private Commands commands;
  private UpThread server;
  private ProtocolClient client;
  private String session;

  @BeforeEach
  void start() throws IOException {
    commands = new Commands(directory);
    server = commands.start("data");
    client = commands.client(server, "data");
    session =
        client
            .post("/v1/sessions", Json.object().put("workspace_id", "default"))
            .json()
            .get("id")
            .textValue();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aRuleIsCreatedExplainedShownAndDisabled() {
    String role = "{\"role\":\"sre\",\"count\":1}";
    said(0, "approval-role", "create", "--name", "sre", "--actor", "ada", "--actor", "bob");
    assertThat(said(0, "approval-role", "list").out()).contains("sre").contains("ada");
    String rule =
        Json.parse(
                said(
                        0,
                        "policy",
                        "create",
                        "--json",
                        "--name",
                        "deletions",
                        "--command",
                        "rm *-r",
                        "--approvers",
                        "2",
                        "--role",
                        role,
                        "--answer-within",
                        "10m")
                    .out())
            .get("id")
            .textValue();

    assertThat(said(0, "policy", "list").out()).contains("deletions").contains("rm *-r");
    assertThat(explained("rm   -r /"))
        .contains("asked: Approval rules match it.")
        .contains("rules: deletions")
        .contains("approvals: 2, 1 of sre")
        .contains("decided within: 600 s")
        .contains("may be granted: once only");
    assertThat(explained("ls")).contains("asked").doesNotContain("deletions");
    String request = pending(act("rm -r build")).get("id").textValue();
    assertThat(said(0, "permission", "show", request).out())
        .contains("policy approvals: 2, 1 of sre")
        .contains("approvers: 2 of anyone who may answer");

    said(0, "policy", "update", rule, "--disabled");
    assertThat(explained("rm -r /")).doesNotContain("deletions");
    said(0, "policy", "update", rule, "--no-disabled");
    assertThat(explained("rm -r /")).contains("deletions");
  }

  @Test
  void anExplanationNamesWhatMatches() {
    said(0, "policy", "create", "--name", "pushes", "--invocation", "git push");
    said(0, "policy", "create", "--name", "all-of-it", "--workspace", "default");

    assertThat(said(0, "policy", "list").out()).contains("git push");
    assertThat(explained("cd x && git -C . push origin"))
        .contains("match: pushes, invocations 'git push': git -C . push origin")
        .contains("match: all-of-it, every action");
    assertThat(explained("git status")).doesNotContain("pushes");
    assertThat(
            said(
                    0,
                    "policy",
                    "explain",
                    "--session",
                    session,
                    "--kind",
                    "read",
                    "--title",
                    "git push",
                    "--said",
                    "{\"texts\":[\"x\"]}")
                .out())
        .contains("match: pushes, invocations 'git push': git push");
    assertThat(
            said(2, "policy", "explain", "--session", session, "--kind", "read", "--said", "[]")
                .err())
        .contains("--said");
    assertThat(said(1, "policy", "create", "--name", "x", "--invocation", "git push --force").err())
        .contains("--force");
  }

  @Tag("slow")
  @Test
  void anExplanationNeedsAnActionAndSomeTask() {
    assertThat(said(2, "policy", "explain", "--session", session).err()).contains("--command");
    assertThat(
            said(2, "policy", "explain", "--session", session, "--command", "ls", "--content", "{}")
                .err())
        .contains("not both");
    assertThat(said(1, "policy", "explain", "--command", "ls").err()).contains("session_id");
  }

  @Tag("slow")
  @Test
  void aRuleMayTakeAnswersByWebSocketAlone() {
    said(0, "policy", "create", "--name", "live", "--channel", "websocket");
    String task = act("rm -r build");
    String request = pending(task).get("id").textValue();

    assertThat(said(1, "permission", "approve", request).err()).contains("channel");
    try (SocketStream socket = client.socket("/v1/tasks/" + task + "/stream")) {
      ObjectNode answer =
          Json.object().put("type", "permission.respond").put("id", "1").put("request_id", request);
      answer.set("body", Json.object().put("approved", true));
      JsonNode ack = socket.ask(answer, PATIENCE);
      assertThat(ack.at("/result/status").textValue()).as("%s", ack).isEqualTo("approved");
      assertThat(ack.at("/result/response/answers/0/channel").textValue()).isEqualTo("websocket");
      socket.untilEvent("task.completed", PATIENCE);
    }
  }

  private String explained(String command) {
    return said(0, "policy", "explain", "--session", session, "--command", command).out();
  }

  private String act(String command) {
    String body = "{\"input\":{\"act\":{\"tool\":\"shell\",\"command\":\"" + command + "\"}}}";
    return client
        .post("/v1/sessions/" + session + "/tasks", Json.parse(body))
        .json()
        .get("id")
        .textValue();
  }

  private JsonNode pending(String task) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> client.get("/v1/permission-requests?status=pending&task_id=" + task).json(),
            found -> found.path("data").size() == 1)
        .at("/data/0");
  }

  private Commands.Said said(int exitCode, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(commands.at(server.url(), "data"));
    return run(exitCode, all.toArray(String[]::new));
  }
}
