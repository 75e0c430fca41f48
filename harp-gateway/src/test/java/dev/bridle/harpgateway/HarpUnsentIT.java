package dev.bridle.harpgateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.gateway.kit.listener.ListenerOptions;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.relay.v1.ChannelMessage;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Channels of one tenant whose clients do not read what waits for them. */
final class HarpUnsentIT {
  private static final String LARGE =
      "{\"msgId\":\"m1\",\"msgType\":\"approval.request\",\"requestId\":\"r1\",\"body\":{\"is\":\""
          + "x".repeat(5 << 19)
          + "\"}}";

  private HarpFixture fixture;

  @BeforeEach
  void start() {
    fixture =
        new HarpFixture(
            options ->
                options
                    .withMaxUnsentBytes(4L * GatewayEnvelope.MAX_BYTES)
                    .withSlowReaderTimeout(Duration.ofMinutes(5)));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private static final String SOCKET =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

  /**
   * Opens a channel that nobody reads, and sends messages until one waits.
   *
   * @param path the path of a stream or a WebSocket
   * @param headers further headers
   * @param unsent the bytes that wait before
   */
  private Socket openSlow(String path, String headers, String party, long unsent)
      throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), fixture.gateway.port()));
    socket
        .getOutputStream()
        .write(
            ("GET "
                    + path
                    + party
                    + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer key-1\r\n"
                    + headers
                    + "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    ServerCallStreamObserver<ChannelMessage> channel = fixture.channels().openedBy(party);
    // The connection takes what fits into the buffers of the system.
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(Duration.ofSeconds(60))
        .during(Duration.ofMillis(500))
        .until(
            () -> {
              if (channel.isReady()) {
                FakeChannels.send(channel, LARGE);
              }
              return fixture.gateway.unsentBytes() > unsent;
            });
    return socket;
  }

  @Test
  void theSlowestReaderOfATenantIsClosedWhereItsMessagesHaveNoRoom() throws Exception {
    try (Socket slowest = openSlow("/v1/ws?role=approver&id=", SOCKET, "slowest", 0);
        Socket slow = openSlow("/v1/sse/approvers/", "", "slow", LARGE.length())) {
      assertThat(slowest.isConnected() && slow.isConnected()).isTrue();
      HttpResponse<InputStream> response =
          fixture.send(fixture.request("/v1/sse/approvers/reader"), BodyHandlers.ofInputStream());
      try (BufferedReader reader =
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
        ServerCallStreamObserver<ChannelMessage> channel = fixture.channels().openedBy("reader");

        FakeChannels.send(channel, LARGE);

        assertThat(reader.readLine()).isEqualTo("id: m1");
        assertThat(reader.readLine()).isEqualTo("event: approval.request");
        assertThat(reader.readLine()).isEqualTo("data: " + LARGE);
        await()
            .atMost(Duration.ofMinutes(1))
            .until(fixture.channels().openedBy("slowest")::isCancelled);
        assertThat(fixture.channels().openedBy("slow").isCancelled()).isFalse();
        assertThat(channel.isCancelled()).isFalse();
      }
    }
    await().until(() -> fixture.gateway.unsentBytes() == 0);
  }

  @Test
  void aReaderThatReadsLeavesNothingBehind() throws Exception {
    HttpResponse<InputStream> response =
        fixture.send(fixture.request("/v1/sse/approvers/reader"), BodyHandlers.ofInputStream());
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      for (int i = 0; i < 20; i++) {
        FakeChannels.send(fixture.channels().openedBy("reader"), LARGE);
        assertThat(reader.readLine()).isEqualTo("id: m1");
        assertThat(reader.readLine()).startsWith("event: ");
        assertThat(reader.readLine()).hasSize("data: ".length() + LARGE.length());
        assertThat(reader.readLine()).isEmpty();
      }
      await().until(() -> fixture.gateway.unsentBytes() == 0);
    }
  }

  @Test
  void aLongPollLeavesNothingBehind() throws Exception {
    fixture.relay.answer("{\"msgType\":\"decision.deliver\"}");

    HttpResponse<String> response =
        fixture.send(fixture.request("/v1/exchanges/r1/wait"), BodyHandlers.ofString());

    assertThat(response.statusCode()).isEqualTo(200);
    await().until(() -> fixture.gateway.unsentBytes() == 0);
  }

  @Test
  void aBudgetThatHasNoRoomForAnEnvelopeIsRefused() {
    HarpGatewayOptions options =
        HarpGatewayOptions.defaults().withListener(ListenerOptions.defaults().withPort(0));

    assertThatThrownBy(() -> options.withMaxUnsentBytes(GatewayEnvelope.MAX_BYTES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxUnsentBytes");
  }
}
