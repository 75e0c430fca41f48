package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.fixtures.client.SocketStream;
import dev.bridle.fixtures.harp.HarpMessages;
import dev.bridle.harp.core.Artifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A relay whose parties send more in a minute than they may, over real sockets. A minute may end in
 * the midst of a test, and so twice as many may be accepted.
 */
@Tag("slow")
final class HarpRatesIT {
  private static final int SUBMISSIONS = 4;
  private static final int DECISIONS = 1;

  @TempDir private static Path directory;
  private static ServerProcess server;
  private static ProtocolClient relay;

  @BeforeAll
  static void start() throws IOException {
    List<String> options =
        List.of(
            "--data-dir",
            directory.resolve("relay").toString(),
            "--api-key-file",
            directory.resolve("api.key").toString(),
            "--harp-port=0",
            "--admin-port=0",
            "--grpc-port=0",
            "--harp-max-submissions=" + SUBMISSIONS,
            "--harp-max-decisions=" + DECISIONS);
    server =
        ServerProcess.start(
            BuiltBridle.java(), directory.resolve("relay.log"), "harp-gateway", options);
    String key = Files.readString(directory.resolve("api.key")).strip();
    relay = new ProtocolClient(server.harpUrl().orElseThrow(), key);
    ObjectNode party = Json.object().put("approver_id", "phone");
    assertThat(new ProtocolClient(server.url(), key).post("/v1/harp/approvers", party).status())
        .isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /**
   * What was sent until the relay refused it.
   *
   * @param accepted what was accepted
   * @param refused what was refused, and stays so for the rest of the minute
   * @param answer how
   */
  private record Sent(List<Artifact> accepted, Artifact refused, Answer answer) {}

  private static Sent sendUntilRefused(
      List<Artifact> all, int most, Function<Artifact, Answer> send) {
    List<Artifact> accepted = new ArrayList<>();
    for (Artifact artifact : all) {
      Answer answer = send.apply(artifact);
      if (answer.status() == 429) {
        assertThat(accepted).hasSizeBetween(most, 2 * most);
        return new Sent(accepted, artifact, answer);
      }
      assertThat(answer.status()).as(answer.toString()).isIn(200, 202);
      accepted.add(artifact);
    }
    throw new AssertionError("all were accepted: " + accepted.size());
  }

  private static List<Artifact> artifacts(String name, int count) {
    List<Artifact> artifacts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      artifacts.add(HarpMessages.artifact(name + "-" + i, Instant.now().plusSeconds(600)));
    }
    return artifacts;
  }

  private static Answer submit(HarpMessages messages, Artifact artifact) {
    return relay.post("/v1/artifacts", messages.submission(artifact));
  }

  private static Answer decide(HarpMessages messages, Artifact artifact) {
    return relay.post(
        "/v1/decisions", messages.decision(artifact, dev.bridle.harp.core.Answer.ALLOW));
  }

  private static void assertTooMany(String what, Artifact artifact, JsonNode envelope) {
    assertThat(envelope.path("msgType").asText()).isEqualTo("error");
    assertThat(envelope.path("requestId").asText()).isEqualTo(artifact.requestId());
    JsonNode body = envelope.path("body");
    assertThat(body.path("code").asText()).isEqualTo("HARP_ERR_TRANSPORT");
    assertThat(body.at("/details/reason").asText()).isEqualTo("too_many_" + what);
    assertThat(body.at("/details/retryable").asBoolean()).isTrue();
  }

  private static void assertTooMany(String what, Sent sent) {
    assertTooMany(what, sent.refused(), sent.answer().json());
    assertThat(Integer.parseInt(sent.answer().header("Retry-After").orElseThrow()))
        .isBetween(1, 60);
  }

  private static String state(Artifact artifact) {
    Answer answer = relay.get("/v1/exchanges/" + artifact.requestId());
    return answer.status() == 404 ? "none" : answer.json().at("/body/state").asText();
  }

  @Test
  void anEnforcerThatSubmitsTooMuchIsRefusedUntilTheNextMinuteAndNothingOfItIsStored() {
    HarpMessages messages = new HarpMessages("ci", "phone");

    Sent sent =
        sendUntilRefused(
            artifacts("submitted", 2 * SUBMISSIONS + 1),
            SUBMISSIONS,
            artifact -> submit(messages, artifact));

    assertTooMany("submissions", sent);
    assertThat(state(sent.refused())).isEqualTo("none");
    assertThat(relay.get("/v1/approvers/phone/inbox").text())
        .contains(sent.accepted().get(0).requestId())
        .doesNotContain(sent.refused().requestId());
    assertThat(submit(messages, sent.accepted().get(0)).status()).as("a repeat").isEqualTo(202);
  }

  @Test
  void anApproverThatDecidesTooMuchIsRefusedUntilTheNextMinuteAndTheRequestStaysOpen() {
    HarpMessages messages = new HarpMessages("decided-ci", "phone");
    List<Artifact> asked = artifacts("decided", 2 * DECISIONS + 1);
    asked.forEach(artifact -> assertThat(submit(messages, artifact).status()).isEqualTo(202));

    Sent sent = sendUntilRefused(asked, DECISIONS, artifact -> decide(messages, artifact));

    assertTooMany("decisions", sent);
    assertThat(state(sent.refused())).isEqualTo("pendingApproval");
    assertThat(decide(messages, sent.accepted().get(0)).status()).as("a repeat").isEqualTo(200);
  }

  @Test
  void aWebSocketCountsWithTheRestAndGoesOnAfterTheRefusal() throws Exception {
    HarpMessages messages = new HarpMessages("socket-ci", "phone");
    try (SocketStream socket = relay.socket("/v1/ws?role=enforcer&id=socket-ci")) {
      JsonNode reply = Json.object();
      List<Artifact> all = artifacts("socket", 2 * SUBMISSIONS + 1);
      int sent = 0;
      while (!reply.path("msgType").asText().equals("error")) {
        assertThat(sent).as("what was accepted").isLessThan(all.size());
        socket.send(messages.submission(all.get(sent)));
        reply = next(socket, all.get(sent).requestId());
        sent++;
      }

      assertThat(sent).isGreaterThan(SUBMISSIONS);
      assertTooMany("submissions", all.get(sent - 1), reply);
      socket.send(messages.submission(all.get(0)));
      assertThat(next(socket, all.get(0).requestId()).path("msgType").asText())
          .as("a repeat")
          .isEqualTo("artifact.accepted");
    }
  }

  private static JsonNode next(SocketStream socket, String request) {
    return socket.until(
        message -> message.path("requestId").asText().equals(request), Duration.ofSeconds(30));
  }
}
