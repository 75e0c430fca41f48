package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.HistoryEnd;
import dev.bridle.fixtures.client.RawSocket;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.TruncateSessionResponse;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that no client of good will sends, and readers that do not read. */
final class SocketFramesIT {

  private static final String SESSION = "/v1/sessions/s1/events/stream";
  private static final String FLOOD = "/v1/tasks/t1/stream";
  private static final String PAYLOAD = "{\"a\":\"" + "x".repeat(64 << 10) + "\"}";

  private static final AtomicInteger SENT = new AtomicInteger();
  private static GatewayFixture fixture;

  @BeforeAll
  static void start() {
    fixture =
        new GatewayFixture(
            options ->
                options
                    .withHeartbeatInterval(Duration.ofMillis(200))
                    .withSlowReaderTimeout(Duration.ofMillis(600)));
    fixture.core.stream(
        EventServiceGrpc.getStreamSessionEventsMethod(),
        (request, observer) ->
            observer.onNext(
                EventFrame.newBuilder().setHistoryEnd(HistoryEnd.newBuilder()).build()));
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> observer.setOnReadyHandler(() -> flood(observer)));
    fixture.core.answer(
        MessageServiceGrpc.getAppendSessionMessageMethod(),
        request -> Message.newBuilder().setId("m1").build());
    fixture.core.answer(
        TaskServiceGrpc.getAppendTaskMessageMethod(),
        request -> Message.newBuilder().setId("m2").build());
    fixture.core.answer(
        TaskServiceGrpc.getCancelTaskMethod(),
        request -> Task.newBuilder().setId(request.getTaskId()).build());
    fixture.core.answer(
        SessionServiceGrpc.getTruncateSessionMethod(),
        request -> TruncateSessionResponse.getDefaultInstance());
    fixture.core.answer(
        PermissionServiceGrpc.getRespondPermissionRequestMethod(),
        request -> PermissionRequest.newBuilder().setId(request.getRequestId()).build());
  }

  private static void flood(ServerCallStreamObserver<EventFrame> observer) {
    while (observer.isReady() && !observer.isCancelled()) {
      observer.onNext(
          EventFrame.newBuilder()
              .setEvent(
                  Event.newBuilder()
                      .setId("e" + SENT.incrementAndGet())
                      .setPayload(ByteString.copyFromUtf8(PAYLOAD)))
              .build());
    }
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static RawSocket open(String path) throws IOException {
    return RawSocket.openWithSmallBuffer(
        URI.create(fixture.gateway.baseUrl() + path), GatewayFixture.HEADERS);
  }

  /** The next text that is no heartbeat, or the closing frame. */
  private static RawSocket.Frame word(RawSocket socket) throws IOException {
    RawSocket.Frame frame = socket.next();
    while (frame.opcode() > RawSocket.CLOSE || frame.text().contains("\"heartbeat\"")) {
      frame = socket.next();
    }
    return frame;
  }

  /** Reads to the end; the status of the closing frame, or -1 where none came. */
  private static int closeCode(RawSocket socket) throws IOException {
    try {
      RawSocket.Frame frame = socket.next();
      while (frame.opcode() != RawSocket.CLOSE) {
        frame = socket.next();
      }
      return frame.closeCode();
    } catch (EOFException | SocketException e) {
      return -1;
    }
  }

  /** Whether the gateway has closed the connection. */
  private static boolean ended(RawSocket socket) throws IOException {
    try {
      return socket.nextOrEnd().isEmpty();
    } catch (SocketException e) {
      return true;
    }
  }

  @Test
  void aTextThatIsNotUtf8ClosesTheConnection() throws IOException {
    try (RawSocket socket = open(SESSION)) {
      socket.frame(RawSocket.LAST | RawSocket.TEXT, new byte[] {'"', (byte) 0xC3, '"'});

      assertThat(closeCode(socket)).isEqualTo(1007);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x83, 0x8B, 0xC1, 0x91, 0x00, 0x09, 0x80})
  void aFrameAgainstTheRulesClosesTheConnection(int first) throws IOException {
    try (RawSocket socket = open(SESSION)) {
      socket.frame(first, new byte[] {'{', '}'});

      assertThat(closeCode(socket)).isEqualTo(1002);
    }
  }

  @Test
  void anUnmaskedFrameClosesTheConnection() throws IOException {
    try (RawSocket socket = open(SESSION)) {
      socket.write(new byte[] {(byte) 0x81, 2, '{', '}'});

      assertThat(closeCode(socket)).isEqualTo(1002);
    }
  }

  @Test
  void aFrameThatSaysItIsHugeClosesTheConnectionBeforeItComes() throws IOException {
    try (RawSocket socket = open(SESSION)) {
      socket.write(new byte[] {(byte) 0x81, (byte) 0xFF, 0, 0, 0x7F, 0, 0, 0, 0, 0});

      assertThat(closeCode(socket)).isEqualTo(1009);
    }
  }

  @Test
  void aClosingFrameWithoutAStatusIsAnswered() throws IOException {
    try (RawSocket socket = open(SESSION)) {
      socket.frame(RawSocket.LAST | RawSocket.CLOSE, new byte[0]);

      assertThat(closeCode(socket)).isEqualTo(1000);
      assertThat(ended(socket)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConnectionThatTheGatewayClosesEndsWhetherTheClientAnswersOrNot(boolean answers)
      throws IOException {
    fixture.core.stream(
        EventServiceGrpc.getStreamEventsMethod(), (request, observer) -> observer.onCompleted());
    try (RawSocket socket = open("/v1/events/stream")) {
      assertThat(closeCode(socket)).isEqualTo(1000);
      if (answers) {
        socket.frame(RawSocket.LAST | RawSocket.CLOSE, new byte[] {3, (byte) 0xE8});
      }
      assertThat(ended(socket)).isTrue();
    }
  }

  @Test
  void aPingIsAnsweredWithinAFragmentedMessage() throws IOException {
    try (RawSocket socket = open(SESSION)) {
      assertThat(word(socket).text()).contains("live");
      socket.frame(RawSocket.TEXT, "{\"type\":".getBytes(StandardCharsets.UTF_8));
      socket.frame(RawSocket.LAST | RawSocket.PING, new byte[] {7});
      RawSocket.Frame pong = socket.next();
      while (pong.opcode() != RawSocket.PONG) {
        pong = socket.next();
      }
      socket.frame(
          RawSocket.LAST | RawSocket.CONTINUATION, "\"ping\"}".getBytes(StandardCharsets.UTF_8));

      assertThat(pong.payload()).containsExactly(7);
      assertThat(word(socket).text()).contains("pong");
    }
  }

  @Test
  void aClientThatAnswersNoPingsIsClosed() throws IOException {
    try (RawSocket socket = open(SESSION)) {
      assertThat(closeCode(socket)).isEqualTo(4408);
    }
  }

  @Test
  void aReaderThatStopsReadingIsCutOffWithFewMessagesUnderWay() throws IOException {
    long before = fixture.gateway.streams().slowReaders();
    int sent = SENT.get();
    try (RawSocket socket = open(FLOOD)) {
      await().until(() -> fixture.gateway.streams().slowReaders() == before + 1);
      // What the sockets' own buffers hold comes on top of the window of 16.
      assertThat(SENT.get() - sent).isLessThan(400);
      assertThat(socket).isNotNull();
    }
    await().until(() -> fixture.gateway.streams().open() == 0);
  }

  @Test
  void aClientThatAsksWithoutReadingIsNotListenedToAndCutOff() throws Exception {
    long before = fixture.gateway.streams().slowReaders();
    try (RawSocket socket = open(FLOOD)) {
      byte[] ping = RawSocket.bytes(RawSocket.LAST | RawSocket.PING, new byte[100]);
      ByteArrayOutputStream many = new ByteArrayOutputStream();
      for (int i = 0; i < 1000; i++) {
        many.writeBytes(ping);
      }
      Thread writer =
          new Thread(
              () -> {
                try {
                  while (true) {
                    socket.write(many.toByteArray());
                  }
                } catch (IOException e) {
                  // The gateway has closed the connection.
                }
              });
      writer.start();

      await().until(() -> fixture.gateway.streams().slowReaders() > before);
      writer.join(10_000);
      assertThat(writer.isAlive()).isFalse();
    }
    await().until(() -> fixture.gateway.streams().open() == 0);
  }

  @Test
  void fragmentsWithoutEndOrContentCostNothing() throws IOException {
    try (RawSocket socket = open(SESSION)) {
      socket.frame(RawSocket.TEXT, new byte[0]);
      byte[] empty = RawSocket.bytes(RawSocket.CONTINUATION, new byte[0]);
      ByteArrayOutputStream many = new ByteArrayOutputStream();
      for (int i = 0; i < 50_000; i++) {
        many.writeBytes(empty);
      }
      socket.write(many.toByteArray());
      socket.frame(
          RawSocket.LAST | RawSocket.CONTINUATION,
          "{\"type\":\"ping\"}".getBytes(StandardCharsets.UTF_8));

      assertThat(word(socket).text()).contains("live");
      assertThat(word(socket).text()).contains("pong");
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverComesIsAnsweredOrClosesTheConnectionAndNothingGoesWrongInside(long seed)
      throws IOException {
    Random random = new Random(seed);
    for (int connection = 0; connection < 12; connection++) {
      try (RawSocket socket = open(SESSION)) {
        send(random, socket);
        assertEnds(socket);
      }
    }
    await().until(() -> fixture.gateway.streams().open() == 0);
  }

  private static void send(Random random, RawSocket socket) {
    try {
      int frames = random.nextInt(12);
      for (int i = 0; i < frames; i++) {
        socket.write(RandomFrames.next(random));
      }
      socket.text("{\"type\":\"ping\",\"id\":\"last\"}");
      socket.frame(RawSocket.LAST | RawSocket.CLOSE, new byte[] {3, (byte) 0xE8});
    } catch (IOException e) {
      // The gateway has closed already.
    }
  }

  /** Reads all that comes; the connection ends by itself, and nothing in it is an inner error. */
  private static void assertEnds(RawSocket socket) throws IOException {
    try {
      RawSocket.Frame frame = socket.next();
      while (frame.opcode() != RawSocket.CLOSE) {
        assertThat(frame.text()).doesNotContain("internal_error");
        frame = socket.next();
      }
      assertThat(frame.closeCode()).isIn(1000, 1002, 1007, 1009);
    } catch (EOFException | SocketException e) {
      // Closed at once: bytes were on their way when the gateway had enough.
    }
  }
}
