package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.HistoryEnd;
import dev.bridle.event.v1.StreamError;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Event streams as server-sent events. */
final class EventStreamIT {

  private static final Duration TIMEOUT = Duration.ofMillis(400);
  private static final Duration THREE_TIMEOUTS = TIMEOUT.multipliedBy(3);

  private GatewayFixture fixture;

  @BeforeEach
  void start() {
    fixture =
        new GatewayFixture(
            options ->
                options
                    .withHeartbeatInterval(Duration.ofMillis(100))
                    .withSlowReaderTimeout(TIMEOUT));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void eventsBecomeFramesAndTheStreamEndsWithTheCoresOwn() {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          observer.onNext(frame("e1", "task.submitted", "{\"a\":\n 1}"));
          observer.onNext(
              EventFrame.newBuilder().setHistoryEnd(HistoryEnd.getDefaultInstance()).build());
          observer.onNext(frame("e2", "task.completed", "{}"));
          observer.onCompleted();
        });

    var response =
        fixture.send(fixture.request("/v1/tasks/t1/stream").header("Accept", "text/event-stream"));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type"))
        .hasValue("text/event-stream; charset=utf-8");
    assertThat(response.headers().firstValue("cache-control")).hasValue("no-store");
    assertThat(response.body())
        .startsWith("id: e1\nevent: task.submitted\ndata: {\"object\":\"event\",\"id\":\"e1\"")
        .contains("\"payload\":{\"a\":  1}")
        .contains("}\n\n: history end\nid: e2\nevent: task.completed\ndata: {")
        .endsWith("}\n\n");
    assertThat(fixture.core.request(EventServiceGrpc.getStreamTaskEventsMethod()).getTaskId())
        .isEqualTo("t1");
  }

  @Test
  void theCursorComesFromItsHeader() {
    fixture.core.stream(
        EventServiceGrpc.getStreamEventsMethod(), (request, observer) -> observer.onCompleted());

    var response =
        fixture.send(
            fixture.request("/v1/events/stream?task_id=t9").header("Last-Event-ID", "e77"));

    assertThat(response.statusCode()).isEqualTo(200);
    var request = fixture.core.request(EventServiceGrpc.getStreamEventsMethod());
    assertThat(request.getLastEventId()).isEqualTo("e77");
    assertThat(request.getTaskId()).isEqualTo("t9");
  }

  @Test
  void anErrorBeforeTheFirstFrameIsAnOrdinaryAnswer() {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) ->
            observer.onError(
                FakeCore.failure(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "No such task.")));

    var response = fixture.get("/v1/tasks/t1/stream");

    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(GatewayFixture.error(response).get("code").textValue())
        .isEqualTo("resource_not_found");
  }

  @Test
  void aStreamErrorIsALastFrameWithTheLastGoodCursor() {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) ->
            observer.onNext(
                EventFrame.newBuilder()
                    .setError(
                        StreamError.newBuilder()
                            .setLastEventId("e5")
                            .setError(
                                ErrorDetail.newBuilder()
                                    .setCode(ErrorCode.ERROR_CODE_CURSOR_EXPIRED)
                                    .setMessage("Too old.")))
                    .build()));

    var response =
        fixture.send(fixture.request("/v1/tasks/t1/stream").header("X-Request-Id", "r1"));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .isEqualTo(
            "id: e5\nevent: error\ndata: {\"error\":{\"code\":\"cursor_expired\",\"message\":"
                + "\"Too old.\",\"type\":\"request_error\",\"param\":null,\"request_id\":\"r1\","
                + "\"details\":{}}}\n\n");
  }

  @Test
  void anErrorWithoutAGoodCursorHasAnEmptyIdSoThatReadersBeginAnew() {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) ->
            observer.onNext(
                EventFrame.newBuilder()
                    .setError(
                        StreamError.newBuilder()
                            .setError(
                                ErrorDetail.newBuilder()
                                    .setCode(ErrorCode.ERROR_CODE_CURSOR_EXPIRED)
                                    .setMessage("Too old.")))
                    .build()));

    var response =
        fixture.send(fixture.request("/v1/tasks/t1/stream").header("Last-Event-ID", "e3"));

    assertThat(response.body()).startsWith("id: \nevent: error\ndata: {\"error\":{");
  }

  @Test
  void aFailureBeforeAnyEventResumesWhereTheReaderBegan() {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          observer.onNext(
              EventFrame.newBuilder().setHistoryEnd(HistoryEnd.getDefaultInstance()).build());
          observer.onError(Status.UNAVAILABLE.asRuntimeException());
        });

    var response =
        fixture.send(fixture.request("/v1/tasks/t1/stream").header("Last-Event-ID", "e3"));

    assertThat(response.body()).contains("id: e3\nevent: error\ndata: {\"error\":{");
  }

  @Test
  void aFailureAfterTheFirstFrameIsALastFrameToo() {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          observer.onNext(frame("e1", "task.submitted", "{}"));
          observer.onError(Status.UNAVAILABLE.asRuntimeException());
        });

    var response = fixture.get("/v1/tasks/t1/stream");

    assertThat(response.body())
        .contains("\n\nid: e1\nevent: error\ndata: {\"error\":{\"code\":\"service_unavailable\"");
  }

  @Test
  void aSilentStreamCarriesHeartbeats() throws IOException {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> observer.onNext(frame("e1", "task.submitted", "{}")));

    HttpResponse<InputStream> response =
        fixture.send(
            fixture.request("/v1/tasks/t1/stream"), HttpResponse.BodyHandlers.ofInputStream());

    try (InputStream body = response.body()) {
      String text = read(body, ": heartbeat\n: heartbeat\n");
      assertThat(text).startsWith("id: e1\n").contains("}\n\n: heartbeat\n");
    }
  }

  @Test
  void aReaderThatGoesAwayCancelsTheCall() throws IOException {
    AtomicBoolean canceled = new AtomicBoolean();
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          observer.setOnCancelHandler(() -> canceled.set(true));
          observer.onNext(frame("e1", "task.submitted", "{}"));
        });

    try (Socket socket = open("/v1/tasks/t1/stream")) {
      read(socket.getInputStream(), "id: e1");
      await().until(() -> fixture.gateway.streams().open() == 1);
    }

    await().untilTrue(canceled);
    await().until(() -> fixture.gateway.streams().open() == 0);
    assertThat(fixture.gateway.streams().slowReaders()).isZero();
  }

  @Test
  void aReaderThatStopsReadingIsCutOffWithFewMessagesUnderWay() throws IOException {
    AtomicInteger sent = new AtomicInteger();
    AtomicBoolean canceled = new AtomicBoolean();
    String payload = "{\"a\":\"" + "x".repeat(64 << 10) + "\"}";
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          observer.setOnCancelHandler(() -> canceled.set(true));
          observer.setOnReadyHandler(() -> fill(observer, payload, sent));
        });

    try (Socket socket = open("/v1/tasks/t1/stream")) {
      await().until(() -> fixture.gateway.streams().slowReaders() == 1);
      await().untilTrue(canceled);
      // What the sockets' own buffers hold comes on top of the window of 16.
      assertThat(sent.get()).isLessThan(400);
      assertThat(fixture.gateway.streams().open()).isZero();
      assertThat(socket.isConnected()).isTrue();
    }
  }

  @Test
  void aReaderThatDoesNotReadTheEndOfAFinishedStreamIsCutOff() throws IOException {
    String payload = "{\"a\":\"" + "x".repeat(16 << 20) + "\"}";
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          observer.onNext(frame("e1", "task.completed", payload));
          observer.onCompleted();
        });

    try (Socket socket = open("/v1/tasks/t1/stream")) {
      await().until(() -> fixture.gateway.streams().slowReaders() == 1);
      assertThat(readAll(socket)).isLessThan(16 << 20);
    }
  }

  @Test
  void aConnectionWhoseStreamWasReadToItsEndServesTheNextRequest() throws IOException {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          observer.onNext(frame("e1", "task.completed", "{}"));
          observer.onCompleted();
        });

    long end = System.nanoTime() + THREE_TIMEOUTS.toNanos();
    try (Socket socket = open("/v1/tasks/t1/stream")) {
      while (System.nanoTime() < end) {
        assertThat(read(socket.getInputStream(), "\r\n0\r\n\r\n"))
            .contains("HTTP/1.1 200", "id: e1");
        ask(socket, "/v1/tasks/t1/stream");
      }
    }
    assertThat(fixture.gateway.streams().slowReaders()).isZero();
  }

  @Test
  void streamsOfOneHttp2ConnectionThatWereReadToTheirEndAreNotCutOff() throws Exception {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          observer.onNext(frame("e1", "task.completed", "{}"));
          observer.onCompleted();
        });
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    long end = System.nanoTime() + THREE_TIMEOUTS.toNanos();
    while (System.nanoTime() < end) {
      HttpResponse<String> response =
          client.send(
              fixture.request("/v1/tasks/t1/stream").build(), HttpResponse.BodyHandlers.ofString());
      assertThat(response.body()).contains("id: e1");
    }
    assertThat(fixture.gateway.streams().slowReaders()).isZero();
  }

  /** Returns how much comes until the connection is closed. */
  private static long readAll(Socket socket) {
    byte[] buffer = new byte[64 << 10];
    long all = 0;
    try {
      InputStream in = socket.getInputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        all += n;
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("The connection is still open.", e);
    } catch (IOException e) {
      return all; // The peer has closed it without reading.
    }
    return all;
  }

  @Test
  void aReaderOverHttp2ThatStopsReadingIsCutOffToo() throws Exception {
    AtomicInteger sent = new AtomicInteger();
    String payload = "{\"a\":\"" + "x".repeat(256 << 10) + "\"}";
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> observer.setOnReadyHandler(() -> fill(observer, payload, sent)));
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    // The first request makes the connection HTTP/2.
    client.send(fixture.bare("/nothing").build(), HttpResponse.BodyHandlers.ofString());

    HttpResponse<InputStream> response =
        client.send(
            fixture.request("/v1/tasks/t1/stream").build(),
            HttpResponse.BodyHandlers.ofInputStream());

    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    await().until(() -> fixture.gateway.streams().slowReaders() == 1);
    assertThat(sent.get()).isLessThan(400);
    response.body().close();
  }

  @Test
  void aStreamThatIsReadSlowlyButSteadilyIsNotCutOff() throws IOException {
    AtomicInteger sent = new AtomicInteger();
    String payload = "{\"a\":\"" + "x".repeat(64 << 10) + "\"}";
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> observer.setOnReadyHandler(() -> fill(observer, payload, sent)));

    try (Socket socket = open("/v1/tasks/t1/stream")) {
      long end = System.nanoTime() + Duration.ofMillis(1200).toNanos();
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[32 << 10];
      long read = 0;
      while (System.nanoTime() < end) {
        read += in.read(buffer);
      }
      assertThat(read).isGreaterThan(1 << 20);
      assertThat(fixture.gateway.streams().slowReaders()).isZero();
    }
  }

  @Test
  void anAcceptHeaderThatRulesEventStreamsOutIsRefused() {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> observer.onCompleted());

    var refused =
        fixture.send(fixture.request("/v1/tasks/t1/stream").header("Accept", "application/json"));
    var liberal =
        fixture.send(
            fixture.request("/v1/tasks/t1/stream").header("Accept", "application/json, */*;q=0.1"));

    assertThat(refused.statusCode()).isEqualTo(406);
    assertThat(GatewayFixture.error(refused).get("code").textValue()).isEqualTo("invalid_request");
    assertThat(liberal.statusCode()).isEqualTo(200);
  }

  @Test
  void aStopOfTheGatewayTellsOpenStreams() throws IOException {
    AtomicReference<ServerCallStreamObserver<EventFrame>> stream = new AtomicReference<>();
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          stream.set(observer);
          observer.onNext(frame("e1", "task.submitted", "{}"));
        });

    try (Socket socket = open("/v1/tasks/t1/stream")) {
      read(socket.getInputStream(), "id: e1");
      fixture.gateway.close();

      assertThat(read(socket.getInputStream(), "service_unavailable"))
          .contains("id: e1\nevent: error\n");
      assertThat(stream.get().isCancelled()).isTrue();
    }
  }

  private static void fill(
      ServerCallStreamObserver<EventFrame> observer, String payload, AtomicInteger sent) {
    while (observer.isReady() && !observer.isCancelled()) {
      observer.onNext(frame("e" + sent.incrementAndGet(), "task.status_changed", payload));
    }
  }

  private static EventFrame frame(String id, String kind, String payload) {
    return EventFrame.newBuilder()
        .setEvent(
            Event.newBuilder()
                .setId(id)
                .setEvent(kind)
                .setPayload(ByteString.copyFromUtf8(payload)))
        .build();
  }

  /** Opens a connection whose receive buffer is small, so that a reader that stops is noticed. */
  private Socket open(String path) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(16 << 10);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), fixture.gateway.port()));
    socket.setSoTimeout(10_000);
    ask(socket, path);
    return socket;
  }

  private static void ask(Socket socket, String path) throws IOException {
    String request =
        "GET "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nHarn-Agents-Protocol-Version: "
            + GatewayFixture.VERSION
            + "\r\nAuthorization: Bearer key\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private static String read(InputStream in, String until) throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] buffer = new byte[4096];
    while (text.indexOf(until) < 0) {
      int n = in.read(buffer);
      if (n < 0) {
        throw new IOException("The stream ended before \"" + until + "\": " + text);
      }
      text.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
    }
    return text.toString();
  }
}
