package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A runtime of the bridge that says in its request how many people have to approve, and why. */
@Tag("slow")
final class QuorumIT {
  private static final ObjectNode YES = JsonLines.object().put("approved", true);

  @TempDir private static Path directory;
  private static RuntimeServer server;
  private static RestClient second;

  @BeforeAll
  static void start() throws IOException {
    server = new RuntimeServer(directory);
    server.write(server.runtime("session"));
    server.start();
    second = server.clientOf("second");
  }

  @AfterAll
  static void stop() {
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  private static String ask(String file) {
    String task = server.submit(server.session(), "quorum " + file);
    server.awaitStatus(task, "AUTH_REQUIRED");
    return task;
  }

  private static JsonNode answer(RestClient by, JsonNode request, JsonNode answer) {
    return by.post(
        "/v1/permission-requests/" + request.path("id").asText() + "/respond",
        answer,
        UUID.randomUUID().toString());
  }

  private static JsonNode now(JsonNode request) {
    return server.client().get("/v1/permission-requests/" + request.path("id").asText());
  }

  @Test
  void twoPeopleHaveToApproveAndSeeTheEvidence() {
    String task = ask("both.txt");
    JsonNode request = server.request(task);

    assertThat(request.at("/request/approvers_required").asInt()).isEqualTo(2);
    JsonNode shown = second.get("/v1/permission-requests/" + request.path("id").asText());
    assertThat(shown.at("/action/said/approvalRequest/evidence_refs/0/uri").asText())
        .isEqualTo("artifact:plan");
    assertThat(shown.at("/action/said/approvalRequest/undo_metadata/command").asText())
        .isEqualTo("rm both.txt");
    assertThat(shown.at("/action/content").toString()).doesNotContain("evidence_refs");
    assertThat(shown.at("/request/content_hash").asText()).startsWith("sha256:");

    answer(server.client(), request, YES.deepCopy().put("reason", "looks right"));
    assertThat(now(request).path("status").asText()).isEqualTo("pending");
    assertThatThrownBy(() -> answer(server.client(), request, YES))
        .as("the same person once more")
        .isInstanceOf(CommandFailed.class)
        .hasMessageContaining("conflict");
    assertThat(server.status(task)).isEqualTo("AUTH_REQUIRED");
    assertThat(server.folder().resolve("both.txt")).doesNotExist();

    answer(second, request, YES);
    server.awaitStatus(task, "COMPLETED");
    assertThat(server.folder().resolve("both.txt")).hasContent("made");
    assertThat(now(request).path("status").asText()).isEqualTo("approved");
    assertThat(now(request).path("response").toString()).contains("second", "looks right");
    assertThat(server.payloads(task, "user.tool_confirmation")).hasSize(2);
  }

  @Test
  void oneDenialIsEnough() {
    String task = ask("denied.txt");
    JsonNode request = server.request(task);
    answer(server.client(), request, YES);

    answer(second, request, JsonLines.object().put("approved", false).put("reason", "too risky"));

    server.awaitStatus(task, "COMPLETED");
    assertThat(server.text(task)).isEqualTo("denied: too risky");
    assertThat(server.folder().resolve("denied.txt")).doesNotExist();
  }

  @Test
  void bothHaveToApproveTheSameArguments() {
    String task = ask("changed.txt");
    JsonNode request = server.request(task);
    ObjectNode changed = YES.deepCopy();
    changed.putObject("arguments").put("name", "instead.txt");
    answer(server.client(), request, changed);

    assertThatThrownBy(() -> answer(second, request, YES))
        .isInstanceOf(CommandFailed.class)
        .hasMessageContaining("conflict");
    assertThat(server.status(task)).isEqualTo("AUTH_REQUIRED");
    answer(second, request, changed);

    server.awaitStatus(task, "COMPLETED");
    assertThat(server.folder().resolve("changed.txt")).doesNotExist();
    assertThat(server.folder().resolve("instead.txt")).hasContent("made");
  }
}
