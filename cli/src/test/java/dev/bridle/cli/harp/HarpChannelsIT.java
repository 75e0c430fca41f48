package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.fixtures.client.SocketStream;
import dev.bridle.fixtures.client.SseFrame;
import dev.bridle.fixtures.client.SseStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same messages over all channels of a server's relay, over real sockets. */
final class HarpChannelsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private static Path directory;
  private static HarpFolder folder;
  private static LocalServer server;
  private static String key;
  private static ProtocolClient relay;
  private static int parties;

  // Each test has its own.
  private String approver;
  private String enforcer;

  @BeforeAll
  static void start() throws IOException {
    server =
        LocalServer.start(
            LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent().withHarpPort(0));
    key = server.firstKey().orElseThrow();
    relay = new ProtocolClient(server.harpUrl().orElseThrow(), key);
    folder = new HarpFolder(directory);
    folder.createDevice("phone");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void createParties() {
    parties++;
    approver = "phone-" + parties;
    enforcer = "ci-" + parties;
    HarpFolder.harp(
        0, "parties", "create", approver, "--url", server.baseUrl().toString(), "--api-key", key);
  }

  private String submit() {
    String request =
        folder.createArtifact(approver, "{\"command\":\"make\",\"salt\":\"c2FsdA\"}", "phone");
    HarpFolder.harp(
        0,
        "submit",
        "--enforcer",
        enforcer,
        "--artifact",
        folder.path(approver + ".sealed.json"),
        "--approver",
        approver,
        "--relay",
        relay.base().toString(),
        "--api-key",
        key);
    return request;
  }

  private void approve(String request) {
    folder.decide(
        0,
        "approve",
        "phone",
        List.of(
            "--approver",
            approver,
            "--request",
            request,
            "--relay",
            relay.base().toString(),
            "--api-key",
            key));
  }

  private static SseFrame next(SseStream stream, String type) {
    return stream.until(frame -> frame.event().equals(type), PATIENCE);
  }

  private static JsonNode next(SocketStream socket, String type) {
    return socket.until(message -> message.path("msgType").asText().equals(type), PATIENCE);
  }

  private static JsonNode inbox(String party) {
    return relay.get("/v1/" + party + "/inbox").json().at("/body/items");
  }

  private ObjectNode ack(String messageId, String request) {
    ObjectNode envelope =
        Json.object()
            .put("msgType", "ack.submit")
            .put("requestId", request)
            .put("createdAt", Instant.now().toString());
    envelope.putObject("sender").put("enforcerId", enforcer);
    envelope
        .putObject("body")
        .put("msgId", messageId)
        .put("status", "processed")
        .put("ackAt", Instant.now().toString());
    return envelope;
  }

  @Test
  void aMessageIsTheSameOverEachChannel() throws Exception {
    try (SseStream stream = relay.stream("/v1/sse/approvers/" + approver);
        SocketStream socket = relay.socket("/v1/ws?role=approver&id=" + approver)) {
      String request = submit();

      SseFrame streamed = next(stream, "approval.request");
      JsonNode framed = next(socket, "approval.request");
      JsonNode listed = inbox("approvers/" + approver).path(0);
      assertThat(streamed.json().path("requestId").asText()).isEqualTo(request);
      assertThat(streamed.id()).contains(listed.path("msgId").asText());
      assertThat(streamed.json()).isEqualTo(listed);
      assertThat(framed).isEqualTo(listed);

      decisionsAreTheSame(request);
    }
  }

  private void decisionsAreTheSame(String request) {
    try (SocketStream socket = relay.socket("/v1/ws?role=enforcer&id=" + enforcer)) {
      JsonNode streamed;
      try (SseStream stream = relay.stream("/v1/sse/enforcers/" + enforcer)) {
        approve(request);
        SseFrame frame = next(stream, "decision.deliver");
        streamed = frame.json();
        assertThat(frame.id()).contains(streamed.path("msgId").asText());
      }
      // The newest channel delivers, and once it is closed the one before.
      assertThat(next(socket, "decision.deliver")).isEqualTo(streamed);
      assertThat(relay.get("/v1/exchanges/" + request + "/wait?timeout=5").json())
          .isEqualTo(streamed);
      assertThat(inbox("enforcers/" + enforcer).path(0)).isEqualTo(streamed);

      socket.send(ack(streamed.path("msgId").asText(), request));

      assertThat(next(socket, "ack.accepted").at("/body/msgId").asText())
          .isEqualTo(streamed.path("msgId").asText());
      assertThat(inbox("enforcers/" + enforcer)).isEmpty();
      assertThat(relay.get("/v1/exchanges/" + request).json().at("/body/state").asText())
          .isEqualTo("delivered");
    }
  }

  @Test
  void aNewChannelBeginsWithWhatIsUnacknowledged() throws Exception {
    String request = submit();

    for (int i = 0; i < 2; i++) {
      try (SseStream stream = relay.stream("/v1/sse/approvers/" + approver)) {
        assertThat(next(stream, "approval.request").json().path("requestId").asText())
            .isEqualTo(request);
      }
    }
  }

  @Test
  void anEnforcerIsPresentWhileItsSocketIsOpenAndIsAskedToRefresh() throws Exception {
    String request = submit();
    String presence = "/v1/presence/enforcers/" + enforcer;
    assertThat(relay.get(presence).status()).isEqualTo(404);
    String refresh = "/v1/requests/" + request + "/refresh?enforcerDeviceId=" + enforcer;
    assertThat(relay.post(refresh, Json.object()).status()).isEqualTo(503);

    try (SocketStream socket = relay.socket("/v1/ws?role=enforcer&id=" + enforcer)) {
      ObjectNode hello = Json.object().put("msgType", "hello").put("workspaceName", "shop");
      hello.put("enforcerLabel", "CI").putObject("capabilities").put("push", true);
      socket.send(hello);
      socket.send(Json.object().put("msgType", "other"));
      assertThat(next(socket, "error").at("/body/code").asText()).isEqualTo("HARP_ERR_TRANSPORT");

      JsonNode record = relay.get(presence).json();
      assertThat(record.path("status").asText()).isEqualTo("online");
      assertThat(record.path("transport").asText()).isEqualTo("websocket");
      assertThat(record.path("workspaceName").asText()).isEqualTo("shop");
      assertThat(record.path("enforcerLabel").asText()).isEqualTo("CI");
      assertThat(record.at("/capabilities/push").asBoolean()).isTrue();
      assertThat(relay.get("/v1/presence/enforcers?tenantId=default").json()).contains(record);
      assertThat(relay.get("/v1/presence/enforcers?tenantId=other").status()).isEqualTo(404);

      Answer forwarded = relay.post(refresh, Json.object());
      assertThat(forwarded.json().path("status").asText()).isEqualTo("forwarded");
      assertThat(next(socket, "refresh.request").path("requestId").asText()).isEqualTo(request);
    }
  }

  @Test
  void somebodyElsesChannelsAreNotFound() throws Exception {
    var unused = submit();
    ProtocolClient other =
        new ProtocolClient(relay.base(), server.credential("somebody", Set.of("*")));

    for (String path : List.of("/v1/sse/approvers/" + approver, "/v1/sse/enforcers/" + enforcer)) {
      try (SseStream stream = other.stream(path)) {
        assertThat(stream.status()).isEqualTo(404);
      }
    }
  }
}
