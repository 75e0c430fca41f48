package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.HistoryEnd;
import dev.bridle.fixtures.client.RawSocket;
import io.grpc.Metadata;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages over WebSockets that one tenant begins and does not end, while another is served. */
final class UnfinishedMessagesIT {
  private static final String STREAM = "/v1/events/stream";
  private static final int SOCKETS = 10;

  /** Two of them have room. */
  private static final int SENT = 950_000;

  private static final int TRY_AGAIN_LATER = 1013;
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final List<RawSocket> open = new ArrayList<>();
  private GatewayFixture fixture;

  private void start(Duration requestTimeout) {
    fixture =
        new GatewayFixture(
            options ->
                options
                    .withMaxPendingBytes(4 << 20)
                    .withHeartbeatInterval(Duration.ofMinutes(10))
                    .withListener(on -> on.withRequestTimeout(requestTimeout)));
    fixture.core.answer(
        AuthServiceGrpc.getGetCallerMethod(),
        request -> {
          String given =
              fixture.core.metadata(AuthServiceGrpc.getGetCallerMethod()).get(AUTHORIZATION);
          return Caller.newBuilder().setTenantId(given.replace("Bearer ", "")).build();
        });
    fixture.core.stream(
        EventServiceGrpc.getStreamEventsMethod(),
        (request, observer) ->
            observer.onNext(
                EventFrame.newBuilder().setHistoryEnd(HistoryEnd.newBuilder()).build()));
  }

  @AfterEach
  void stop() {
    open.forEach(RawSocket::close);
    fixture.close();
  }

  private RawSocket open(String tenant) throws IOException {
    RawSocket socket =
        RawSocket.open(
            URI.create(fixture.gateway.baseUrl() + STREAM),
            Map.of(
                "Harn-Agents-Protocol-Version",
                GatewayFixture.VERSION,
                "Authorization",
                "Bearer " + tenant));
    open.add(socket);
    assertThat(socket.next().text()).contains("live");
    return socket;
  }

  private static byte[] large() {
    String ping = "{\"type\":\"ping\",\"id\":\"large\"}";
    return RawSocket.bytes(
        RawSocket.LAST | RawSocket.TEXT,
        (ping + " ".repeat(1_000_000 - ping.length())).getBytes(StandardCharsets.UTF_8));
  }

  /** Sends all but the end of a large message. */
  private RawSocket begin(String tenant, byte[] message) throws IOException {
    RawSocket socket = open(tenant);
    try {
      socket.write(Arrays.copyOf(message, SENT));
    } catch (SocketException e) {
      // The gateway has closed it already.
    }
    return socket;
  }

  /** Returns the status of the closing frame that comes next, or 0 if a text comes. */
  private static int closeCode(RawSocket socket) throws IOException {
    try {
      RawSocket.Frame frame = socket.next();
      return frame.opcode() == RawSocket.CLOSE ? frame.closeCode() : 0;
    } catch (EOFException | SocketException e) {
      return TRY_AGAIN_LATER; // The rest was on its way when the gateway had enough.
    }
  }

  @Test
  void messagesThatAreNotFinishedLeaveRoomForThoseOfOthers() throws Exception {
    start(Duration.ofMinutes(5));
    byte[] message = large();
    RawSocket first = begin("greedy", message);
    RawSocket second = begin("greedy", message);
    for (int i = 2; i < SOCKETS; i++) {
      assertThat(closeCode(begin("greedy", message))).isEqualTo(TRY_AGAIN_LATER);
    }

    RawSocket other = open("modest");
    other.write(message);
    assertThat(other.next().text()).contains("pong");

    for (RawSocket allowed : List.of(first, second)) {
      allowed.write(Arrays.copyOfRange(message, SENT, message.length));
      assertThat(allowed.next().text()).contains("pong");
    }
    // What was answered has room again.
    for (int i = 0; i < 3; i++) {
      first.write(message);
      assertThat(first.next().text()).contains("pong");
    }
  }

  @Test
  void fragmentsOfMessagesThatAreNotFinishedAreCountedToo() throws Exception {
    start(Duration.ofMinutes(5));
    byte[] fragment = RawSocket.bytes(RawSocket.CONTINUATION, new byte[1000]);
    for (int i = 0; i < 2; i++) {
      RawSocket socket = open("greedy");
      socket.frame(RawSocket.TEXT, new byte[1000]);
      for (int n = 0; n < 900; n++) {
        socket.write(fragment);
      }
    }

    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> closeCode(begin("greedy", large())) == TRY_AGAIN_LATER);
    RawSocket other = open("modest");
    other.write(large());
    assertThat(other.next().text()).contains("pong");
  }

  @Test
  void aConnectionThatIsLostInAMessageLeavesNothingBehind() throws Exception {
    start(Duration.ofMinutes(5));
    byte[] message = large();
    for (int i = 0; i < SOCKETS; i++) {
      begin("greedy", message).close();
    }

    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              RawSocket next = open("greedy");
              try {
                next.write(message);
              } catch (SocketException e) {
                return false;
              }
              return closeCode(next) == 0;
            });
  }

  @Test
  void aMessageWhoseRestDoesNotComeEndsTheConnection() throws Exception {
    start(Duration.ofMillis(300));

    RawSocket.Frame last = begin("slow", large()).next();

    assertThat(last.closeCode()).isEqualTo(4408);
    assertThat(last.reason()).isEqualTo("message_timeout");
  }

  @Test
  void aMessageInFragmentsWhoseRestDoesNotComeEndsTheConnection() throws Exception {
    start(Duration.ofMillis(300));
    RawSocket socket = open("slow");
    socket.frame(RawSocket.TEXT, new byte[10]);

    assertThat(socket.next().closeCode()).isEqualTo(4408);
  }
}
