package dev.bridle.cli.process;

import static dev.bridle.cli.process.Commands.run;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Permissions and grants as people handle them at a terminal, beside a server's own process. */
final class PermissionCommandsIT {
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
  void whatWaitsIsListedShownAndDecided() {
    String allowed = act("rm -r build", "");
    String refused = act("rm -r /", "");
    String request = pending(allowed).get("id").textValue();
    assertThat(said(0, "permission", "list", "--pending").out())
        .contains(request)
        .contains(pending(refused).get("id").textValue());
    assertThat(lines("permission", "list", "--pending", "--session", session)).hasSize(2);
    assertThat(lines("permission", "list", "--limit", "1")).hasSize(1);
    String hash = pending(allowed).at("/request/content_hash").textValue();
    assertThat(said(0, "permission", "show", request).out())
        .contains("rm -r build", hash, "grant this_tool: ", "approvers: 1 of anyone");

    assertThat(said(1, "permission", "approve", request, "--content-hash", "sha256:00").err())
        .contains("conflict");
    JsonNode approved =
        lines("permission", "approve", request, "--content-hash", hash, "--reason", "go on").get(0);
    assertThat(approved.get("status").textValue()).isEqualTo("approved");
    String other = pending(refused).get("id").textValue();
    assertThat(said(0, "permission", "deny", other, "--reason", "no").out()).contains("denied");

    assertThat(ended(allowed)).isEqualTo("COMPLETED");
    assertThat(ended(refused)).isEqualTo("FAILED");
    assertThat(said(1, "permission", "deny", request).err()).contains("conflict");
    assertThat(said(0, "permission", "show", request).out())
        .contains("approved by owner by rest at ", "go on", "  attested by the server alone");
    assertThat(lines("permission", "list", "--pending")).isEmpty();
    assertThat(said(1, "permission", "show", "permission_none").err())
        .contains("resource_not_found");
  }

  @Tag("slow")
  @Test
  void anApproverPassesTheQuestionOn() throws IOException {
    Files.writeString(
        directory.resolve("second.key"),
        run(0, "apikey", "create", "--actor", "second", "--data-dir", commands.path("data")).out(),
        UTF_8);
    String task = act("ls", ",\"approvers\":[\"owner\"]");
    String request = pending(task).get("id").textValue();

    assertThat(as("second.key", 1, "permission", "approve", request).err())
        .contains("permission_denied");
    assertThat(
            lines("permission", "delegate", request, "--to", "second", "--reason", "away")
                .get(0)
                .get("status")
                .textValue())
        .isEqualTo("pending");
    assertThat(as("second.key", 0, "permission", "approve", request).out()).contains("approved");

    assertThat(ended(task)).isEqualTo("COMPLETED");
  }

  @Tag("slow")
  @Test
  void aGrantIsListedAndRevokedAndARestoreTellsThatItHoldsAgain() throws IOException {
    String task = act("ls", "");
    String request = pending(task).get("id").textValue();
    assertThat(said(1, "permission", "approve", request, "--grant", "everything").err())
        .contains("invalid_request");
    String grant =
        lines("permission", "approve", request, "--grant", "this_tool")
            .get(0)
            .at("/response/grant_id")
            .textValue();
    assertThat(ended(act("pwd", ""))).as("allowed by the grant").isEqualTo("COMPLETED");
    assertThat(said(0, "grant", "list", "--session", session).out()).contains(grant, "active");
    String data = commands.path("data");
    String backups = commands.path("backups");
    run(0, "backup", "--data-dir", data, "--output", backups);

    JsonNode revoked = lines("grant", "revoke", grant, "--reason", "done for today").get(0);
    assertThat(revoked.get("revoke_reason").textValue()).isEqualTo("done for today");
    assertThat(said(0, "grant", "list").out()).contains(grant, "revoked ");
    String asked = act("whoami", "");
    said(0, "permission", "deny", pending(asked).get("id").textValue());
    assertThat(ended(asked)).isEqualTo("FAILED");
    assertThat(said(1, "grant", "revoke", "grant_none").err()).contains("resource_not_found");
    assertThat(server.stop()).isZero();

    assertThat(restored(backups, "new", "--old-data-dir", data).out())
        .containsPattern(grant + " in session " + session + ".*VALID AGAIN");
    JsonNode ended = Json.parse(restored(backups, "safe", "--revoke-credentials", "--json").out());
    assertThat(ended.get("grants_revoked").intValue()).isEqualTo(1);
    assertThat(ended.get("grants_alive")).isEmpty();
    run(0, "storage", "check", "--data-dir", commands.path("safe"));
  }

  @Tag("slow")
  @Test
  void whatAnAgentAsksForCannotActOnTheTerminalNorForgeALine() {
    String task = act("\\u001b[2Jls\\napprovers: 0 of anyone \\u202etxt", "");
    String request = pending(task).get("id").textValue();

    String shown = said(0, "permission", "show", request).out();
    String listed = said(0, "permission", "list", "--pending").out();

    assertThat(shown + listed).contains("⟨U+202E⟩").doesNotContain("\u001b", "\u202e");
    assertThat(shown.lines()).filteredOn(line -> line.startsWith("approvers:")).hasSize(1);
    assertThat(listed.lines()).hasSize(1);
  }

  @Tag("slow")
  @Test
  void aGrantEndsWhenTheAnswerSays() {
    String request = pending(act("ls", "")).get("id").textValue();
    String soon = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.SECONDS).toString();
    String late = Instant.now().plus(Duration.ofDays(2)).toString();
    String[] approve = {"permission", "approve", request, "--grant", "this_action_today"};

    assertThat(said(1, with(approve, "--until", late)).err()).contains("must not be after");
    String grant =
        lines(with(approve, "--until", soon)).get(0).at("/response/grant_id").textValue();

    assertThat(said(0, "grant", "list").out()).contains(grant, "until " + soon.replace("Z", ""));
  }

  private static String[] with(String[] arguments, String... more) {
    return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
  }

  private Commands.Said restored(String backups, String into, String... more) {
    List<String> all = new ArrayList<>(List.of("restore", "--from", backups));
    all.addAll(List.of("--data-dir", commands.path(into)));
    all.addAll(List.of(more));
    return run(0, all.toArray(String[]::new));
  }

  private String act(String command, String more) {
    String body =
        "{\"input\":{\"act\":{\"tool\":\"shell\",\"command\":\"" + command + "\"" + more + "}}}";
    return client
        .post("/v1/sessions/" + session + "/tasks", Json.parse(body))
        .json()
        .get("id")
        .textValue();
  }

  private JsonNode pending(String task) {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () -> lines("permission", "list", "--pending", "--task", task),
            found -> found.size() == 1)
        .get(0);
  }

  private String ended(String task) {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () -> client.get("/v1/tasks/" + task).json().get("status").textValue(),
            status -> status.equals("COMPLETED") || status.equals("FAILED"));
  }

  private List<JsonNode> lines(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    return said(0, all.toArray(String[]::new)).out().lines().map(Json::parse).toList();
  }

  private Commands.Said said(int exitCode, String... arguments) {
    return as("data.key", exitCode, arguments);
  }

  private Commands.Said as(String keyFile, int exitCode, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--url", server.url().toString()));
    all.addAll(List.of("--api-key-file", commands.path(keyFile)));
    return run(exitCode, all.toArray(String[]::new));
  }
}
