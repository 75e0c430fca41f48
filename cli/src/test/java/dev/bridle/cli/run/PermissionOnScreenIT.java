package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.TerminalWidth;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code bridle permission show} on a terminal, of requests by which an agent means to deceive. */
@Tag("slow")
final class PermissionOnScreenIT {
  private static final String FORGED = "approvers: 0 of anyone";

  /** How rows of the command's own begin. */
  private static final List<String> OWN =
      List.of(
          "permission_",
          "│ ",
          "the agent says ",
          "content: ",
          "an answer may replace: ",
          "content hash: ",
          "option ",
          "grant ",
          "approvers: ",
          "denied by ",
          "  attested by the server alone");

  @TempDir private static Path directory;
  private static Commands commands;
  private static UpThread server;
  private static ProtocolClient client;
  private static String session;

  @BeforeAll
  static void start() throws IOException {
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

  @AfterAll
  static void stop() {
    server.close();
  }

  static List<String> texts() {
    return List.of(
        // The core takes no half characters.
        AgentTextOnScreenTest.NASTY.stream()
            .filter(text -> !text.contains("\ud800"))
            .collect(Collectors.joining(" ")),
        "\n" + FORGED + "\r" + FORGED + "\u0085" + FORGED + "\u2028" + FORGED,
        // Each time at another column, so that a terminal of 80 would begin a row with it.
        (FORGED + "x").repeat(80));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void whatTheAgentWritesStaysBehindOurWordsOnItsOwnRows(String text) {
    String request = ask(text);
    client.post(
        "/v1/permission-requests/" + request + "/respond",
        Json.object().put("approved", false).put("reason", text.substring(0, 60)));

    String shown =
        Commands.runAtTerminal(
            "permission",
            "show",
            request,
            "--url",
            server.url().toString(),
            "--api-key-file",
            commands.path("data.key"));

    Screen screen = Screen.of(shown, TerminalWidth.now());
    List<String> rows = screen.rows();
    assertThat(screen.answers()).isEmpty();
    assertThat(screen.isStyled()).isFalse();
    assertThat(List.of(screen.cursorColumn(), screen.cursorRow())).containsExactly(0, rows.size());
    assertThat(rows).allMatch(row -> OWN.stream().anyMatch(row::startsWith));
    assertThat(rows)
        .filteredOn(row -> row.startsWith("approvers: "))
        .containsExactly("approvers: 1 of anyone who may answer");
    assertThat(rows).filteredOn(row -> row.startsWith("denied by ")).hasSize(1);
    assertThat(rows).filteredOn(row -> row.startsWith("content hash: ")).hasSize(1);
  }

  /** Has the demo agent ask about an action that has a text wherever an agent may write one. */
  private static String ask(String text) {
    ObjectNode body = Json.object();
    ObjectNode act = body.putObject("input").putObject("act");
    act.put("command", text).put(text, "x");
    act.putObject("metadata").put(text, text);
    act.putObject("arguments").put(text, text);
    String task =
        client.post("/v1/sessions/" + session + "/tasks", body).json().get("id").textValue();
    return await("the question")
        .atMost(Duration.ofMinutes(3))
        .until(() -> requests(task), found -> !found.isEmpty())
        .get(0)
        .get("id")
        .textValue();
  }

  private static JsonNode requests(String task) {
    JsonNode found = client.get("/v1/permission-requests?task_id=" + task).json().path("data");
    assertThat(client.get("/v1/tasks/" + task).json().path("status").asText())
        .isNotEqualTo("FAILED");
    return found;
  }
}
