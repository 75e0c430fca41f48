package dev.bridle.harpgateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.fixtures.client.Json;
import dev.bridle.relay.v1.ListInboxRequest;
import dev.bridle.relay.v1.OpenRequest;
import dev.bridle.relay.v1.PartyRole;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Channels of parties as server-sent events, before a core that is made up. */
final class HarpStreamIT {
  private static final String REQUEST =
      "{\"msgId\":\"m1\",\"msgType\":\"approval.request\",\"requestId\":\"r1\","
          + "\"body\":{\"msgId\":\"no\",\n\"n\":1}}";

  private HarpFixture fixture;

  @BeforeEach
  void start() {
    fixture =
        new HarpFixture(
            options ->
                options
                    .withPingInterval(Duration.ofMillis(100))
                    .withSlowReaderTimeout(Duration.ofMillis(400)));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private BufferedReader open(String path) throws Exception {
    HttpResponse<InputStream> response =
        fixture.send(fixture.request(path), BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type"))
        .contains("text/event-stream; charset=utf-8");
    assertThat(response.headers().firstValue("cache-control")).contains("no-store");
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  /** Reads up to a line that begins so. */
  private static String lineOf(BufferedReader stream, String begin) throws IOException {
    String line = stream.readLine();
    while (line != null && !line.startsWith(begin)) {
      line = stream.readLine();
    }
    assertThat(line).as("a line that begins with " + begin).isNotNull();
    return line;
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/sse/approvers/phone%2F1, PARTY_ROLE_APPROVER, phone/1",
    "/v1/sse/enforcers/ci, PARTY_ROLE_ENFORCER, ci"
  })
  void eachStreamIsAChannelOfItsParty(String path, PartyRole role, String party) throws Exception {
    try (BufferedReader stream = open(path)) {
      assertThat(stream).isNotNull();
      assertThat(fixture.channels().allAsked())
          .containsExactly(
              OpenRequest.newBuilder().setRole(role).setPartyId(party).setTransport("sse").build());
    }
  }

  @Test
  void askingForTheHeadersOfAStreamOpensNone() throws Exception {
    HttpResponse<Void> response =
        fixture.send(
            fixture
                .request("/v1/sse/enforcers/ci")
                .method("HEAD", HttpRequest.BodyPublishers.noBody()),
            BodyHandlers.discarding());

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type"))
        .contains("text/event-stream; charset=utf-8");
    assertThat(fixture.channels().allAsked()).isEmpty();
    assertThat(fixture.relay.allAsked())
        .containsExactly(
            ListInboxRequest.newBuilder()
                .setRole(PartyRole.PARTY_ROLE_ENFORCER)
                .setPartyId("ci")
                .setLimit(1)
                .build());

    fixture.relay.refuse(
        ErrorDetail.newBuilder().setCode(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND).build());
    assertThat(
            fixture
                .send(
                    fixture
                        .request("/v1/sse/enforcers/other")
                        .method("HEAD", HttpRequest.BodyPublishers.noBody()),
                    BodyHandlers.discarding())
                .statusCode())
        .isEqualTo(404);
  }

  @Test
  void eachEnvelopeIsAnEventWithItsTypeAndItsMessageId() throws Exception {
    try (BufferedReader stream = open("/v1/sse/approvers/phone")) {
      fixture.channels().send(REQUEST);

      assertThat(lineOf(stream, "id:")).isEqualTo("id: m1");
      assertThat(stream.readLine()).isEqualTo("event: approval.request");
      assertThat(stream.readLine()).isEqualTo("data: " + REQUEST.replace('\n', ' '));
      assertThat(stream.readLine()).isEmpty();
    }
  }

  @Test
  void aMessageWithoutAnIdHasNone() throws Exception {
    try (BufferedReader stream = open("/v1/sse/enforcers/ci")) {
      fixture.channels().send("{\"msgType\":\"refresh.request\",\"requestId\":\"r1\"}");

      String line = stream.readLine();
      while (!line.equals("event: refresh.request")) {
        assertThat(line).doesNotStartWith("id:");
        line = stream.readLine();
      }
    }
  }

  @Test
  void aSilentStreamHasPings() throws Exception {
    try (BufferedReader stream = open("/v1/sse/approvers/phone")) {
      assertThat(lineOf(stream, "event:")).isEqualTo("event: ping");
      JsonNode ping = Json.parse(stream.readLine().substring("data: ".length()));
      assertThat(ping.path("msgType").asText()).isEqualTo("ping");
      assertThat(ping.path("createdAt").asText()).endsWith("Z");
      assertThat(lineOf(stream, "event:")).isEqualTo("event: ping");
    }
  }

  @Test
  void anApproverIsWokenByAPing() throws Exception {
    fixture.close();
    fixture = new HarpFixture(options -> options.withPingInterval(Duration.ofDays(1)));
    try (BufferedReader stream = open("/v1/sse/approvers/phone")) {
      fixture.channels().wake();
      fixture.channels().send(REQUEST);

      assertThat(lineOf(stream, "event:")).isEqualTo("event: ping");
      assertThat(lineOf(stream, "event:")).isEqualTo("event: approval.request");
    }
  }

  @Test
  void somebodyElsesPartyIsAnEnvelopeWith404() throws Exception {
    fixture
        .channels()
        .refuse(
            ErrorDetail.newBuilder()
                .setCode(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND)
                .setMessage("There is no such party.")
                .build());

    HttpResponse<String> response =
        fixture.send(fixture.request("/v1/sse/approvers/other"), BodyHandlers.ofString());

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(Json.parse(response.body()).path("msgType").asText()).isEqualTo("error");
  }

  @Test
  void aStreamNeedsCredentials() throws Exception {
    assertThat(
            fixture
                .send(fixture.bare("/v1/sse/approvers/phone"), BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(401);
    assertThat(fixture.channels().allAsked()).isEmpty();
  }

  @Test
  void aFailureOfAnOpenStreamIsItsLastEvent() throws Exception {
    try (BufferedReader stream = open("/v1/sse/approvers/phone")) {
      fixture
          .channels()
          .opened()
          .onError(
              FakeRelay.failure(
                  ErrorDetail.newBuilder()
                      .setCode(ErrorCode.ERROR_CODE_UNAUTHENTICATED)
                      .setMessage("Revoked.")
                      .build()));

      assertThat(lineOf(stream, "event: e")).isEqualTo("event: error");
      JsonNode error = Json.parse(stream.readLine().substring("data: ".length()));
      assertThat(error.at("/body/details/reason").asText()).isEqualTo("unauthenticated");
      assertThat(stream.readLine()).isEmpty();
      assertThat(stream.readLine()).isNull();
    }
  }

  @Test
  void aServerThatStopsSaysSo() throws Exception {
    try (BufferedReader stream = open("/v1/sse/approvers/phone")) {
      Thread stopping = new Thread(fixture.gateway::close);
      stopping.start();

      assertThat(lineOf(stream, "event: e")).isEqualTo("event: error");
      assertThat(stream.readLine()).contains("service_unavailable");
      stopping.join();
    }
  }

  @Test
  void aClientThatLeavesEndsItsChannel() throws Exception {
    BufferedReader stream = open("/v1/sse/approvers/phone");
    var channel = fixture.channels().opened();

    stream.close();

    await().until(channel::isCancelled);
    await().until(() -> fixture.gateway.streams().open() == 0);
  }

  @Test
  void aReaderThatDoesNotReadHoldsOneEnvelopeAndIsClosed() throws Exception {
    String large = REQUEST.replace("no", "x".repeat(1 << 20));
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), fixture.gateway.port());
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.connect(address);
      socket
          .getOutputStream()
          .write(
              ("GET /v1/sse/approvers/phone HTTP/1.1\r\nHost: localhost\r\n"
                      + "Authorization: Bearer key-1\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      var channel = fixture.channels().opened();
      // The connection takes what fits into the buffers of the system.
      await()
          .pollInterval(Duration.ofMillis(10))
          .until(
              () -> {
                if (channel.isReady()) {
                  fixture.channels().send(large);
                }
                return fixture.gateway.streams().slowReaders() == 1;
              });

      await().until(channel::isCancelled);
    }
  }
}
