package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.artifact.v1.ArtifactContent;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.fixtures.client.RawSocket;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients of one tenant that do not read what waits for them, while another tenant is served. */
final class UnreadResponsesIT {
  private static final long BUDGET = GatewayOptions.LEAST_UNSENT_BYTES;
  private static final int LARGE = 1 << 20;

  /** Many more than have room, with a large response each. */
  private static final int READERS = 24;

  /** Of one tenant, if each holds a large response. */
  private static final int ROOM = (int) (BUDGET / 2 / LARGE);

  private static final String STREAM = "/v1/tasks/t1/stream";
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final List<AutoCloseable> open = new ArrayList<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicLong most = new AtomicLong();
  private GatewayFixture fixture;

  @BeforeEach
  void start() {
    fixture =
        new GatewayFixture(
            options ->
                options
                    .withMaxUnsentBytes(BUDGET)
                    .withSlowReaderTimeout(Duration.ofMinutes(10))
                    .withHeartbeatInterval(Duration.ofMinutes(10)));
    fixture.core.answer(
        AuthServiceGrpc.getGetCallerMethod(),
        request -> {
          String given =
              fixture.core.metadata(AuthServiceGrpc.getGetCallerMethod()).get(AUTHORIZATION);
          return Caller.newBuilder().setTenantId(given.replace("Bearer ", "")).build();
        });
    EventFrame event =
        EventFrame.newBuilder()
            .setEvent(
                Event.newBuilder()
                    .setId("e1")
                    .setEvent("task.status_changed")
                    .setPayload(ByteString.copyFromUtf8("{\"a\":\"" + "x".repeat(LARGE) + "\"}")))
            .build();
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          opened.incrementAndGet();
          observer.setOnReadyHandler(() -> fill(observer, event));
        });
    ArtifactContent piece =
        ArtifactContent.newBuilder().setData(ByteString.copyFrom(new byte[LARGE])).build();
    fixture.core.stream(
        ArtifactServiceGrpc.getDownloadArtifactContentMethod(),
        (request, observer) -> {
          opened.incrementAndGet();
          observer.setOnReadyHandler(() -> fill(observer, piece));
        });
  }

  @AfterEach
  void stop() throws Exception {
    closeAll();
    fixture.close();
  }

  private void closeAll() throws Exception {
    for (AutoCloseable connection : open) {
      connection.close();
    }
    open.clear();
  }

  private <T> void fill(ServerCallStreamObserver<T> observer, T message) {
    while (observer.isReady() && !observer.isCancelled()) {
      observer.onNext(message);
      most.accumulateAndGet(fixture.gateway.unsentBytes(), Math::max);
    }
  }

  private static Map<String, String> headers(String tenant) {
    return Map.of(
        "Harn-Agents-Protocol-Version",
        GatewayFixture.VERSION,
        "Authorization",
        "Bearer " + tenant);
  }

  private Socket ask(String path) throws IOException {
    Socket socket = new Socket();
    open.add(socket);
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(60_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), fixture.gateway.port()));
    StringBuilder head = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n");
    headers("greedy").forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** Streams that are all open hold more than has room, so the slowest are closed. */
  private void assertSlowestClosed() {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> opened.get() == READERS && fixture.gateway.streams().open() <= ROOM);
    assertThat(fixture.gateway.streams().open()).isPositive();
    assertThat(fixture.gateway.streams().slowReaders()).isPositive();
    assertThat(most).hasPositiveValue().hasValueLessThanOrEqualTo(BUDGET / 2);
  }

  private void assertOtherTenantIsServed() throws IOException {
    HttpResponse<InputStream> response =
        fixture.send(
            fixture
                .bare(STREAM)
                .header("Harn-Agents-Protocol-Version", GatewayFixture.VERSION)
                .header("Authorization", "Bearer modest"),
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    try (InputStream body = response.body()) {
      assertThat(body.readNBytes(10 * LARGE)).hasSize(10 * LARGE);
    }
  }

  private void assertNothingIsLeft() throws Exception {
    closeAll();
    await().atMost(Duration.ofMinutes(1)).until(() -> fixture.gateway.unsentBytes() == 0);
    assertThat(fixture.gateway.streams().open()).isZero();
  }

  @Test
  void ofStreamsThatNobodyReadsTheSlowestAreClosed() throws Exception {
    for (int i = 0; i < READERS; i++) {
      ask(STREAM);
    }

    assertSlowestClosed();
    assertOtherTenantIsServed();
    assertNothingIsLeft();
  }

  @Test
  void ofWebSocketsThatNobodyReadsTheSlowestAreClosed() throws Exception {
    for (int i = 0; i < READERS; i++) {
      open.add(
          RawSocket.openWithSmallBuffer(
              URI.create(fixture.gateway.baseUrl() + STREAM), headers("greedy")));
    }

    assertSlowestClosed();
    assertOtherTenantIsServed();
    assertNothingIsLeft();
  }

  @Test
  void ofDownloadsThatNobodyReadsTheSlowestAreClosed() throws Exception {
    for (int i = 0; i < READERS; i++) {
      ask("/v1/artifacts/a1/content");
    }

    assertSlowestClosed();
    assertOtherTenantIsServed();
    assertNothingIsLeft();
  }

  @Test
  void ofAnswersThatNobodyReadsTheSlowestAreClosed() throws Exception {
    answerSessionsOf(6 * LARGE);
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      slow.add(ask("/v1/sessions/s1"));
      await().until(() -> fixture.gateway.unsentBytes() > 0);
    }

    for (Socket socket : slow.subList(0, 5)) {
      assertThat(length(socket)).isLessThan(6 * LARGE);
    }
    assertThat(fixture.gateway.unsentBytes()).isBetween(1L, BUDGET / 2);
    assertOtherTenantIsServed();
    assertThat(slow.get(5).getInputStream().readNBytes(6 * LARGE)).hasSize(6 * LARGE);
    assertNothingIsLeft();
  }

  @Test
  void ofAnswersOnOneHttp2ConnectionThatNobodyReadsTheSlowestAreReset() throws Exception {
    answerSessionsOf(LARGE);
    Http2Reader reader = new Http2Reader(fixture.gateway.port());
    open.add(reader);
    for (int i = 0; i < READERS; i++) {
      reader.get("/v1/sessions/s1", headers("greedy"));
    }

    // Each has a few bytes more than a large one.
    assertThat(reader.resets(READERS - ROOM + 1)).contains(1, 3, 5);
    assertThat(fixture.gateway.unsentBytes()).isBetween(1L, BUDGET / 2);
    assertOtherTenantIsServed();
    assertNothingIsLeft();
  }

  @Test
  void aCallThatHasEndedItsOwnCredentialsIsAnswered() throws Exception {
    answerSessionsOf(100);
    fixture.core.answer(
        AuthServiceGrpc.getGetCallerMethod(),
        request -> {
          throw Status.UNAUTHENTICATED.asRuntimeException();
        });

    assertThat(fixture.send(fixture.request("/v1/sessions/s1").GET()).statusCode()).isEqualTo(200);
    assertNothingIsLeft();
  }

  @Test
  void ofSmallAnswersThatNobodyReadsTheSlowestConnectionIsClosed() throws Exception {
    answerSessionsOf(60_000);
    List<Http2Reader> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Http2Reader reader = new Http2Reader(fixture.gateway.port());
      readers.add(reader);
      open.add(reader);
      for (int j = 0; j < 100; j++) {
        reader.get("/v1/sessions/s1", headers("greedy"));
      }
      if (i == 0) {
        await().until(() -> fixture.gateway.unsentBytes() > 100 * 60_000); // All of them fit.
      }
    }

    assertThatThrownBy(() -> readers.get(0).resets(1000)).isInstanceOf(IOException.class);
    assertThat(fixture.gateway.unsentBytes()).isBetween(1L, BUDGET / 2);
    assertOtherTenantIsServed();
    assertNothingIsLeft();
  }

  private void answerSessionsOf(int bytes) {
    Session session =
        Session.newBuilder()
            .setId("s1")
            .setMetadata(ByteString.copyFromUtf8("{\"a\":\"" + "x".repeat(bytes) + "\"}"))
            .build();
    fixture.core.answer(SessionServiceGrpc.getGetSessionMethod(), request -> session);
  }

  /** Returns how much comes until the connection is closed. */
  private static long length(Socket socket) {
    byte[] buffer = new byte[64 << 10];
    long all = 0;
    try {
      InputStream in = socket.getInputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        all += n;
      }
    } catch (IOException e) {
      return all; // The peer has closed it without reading, or it is still open.
    }
    return all;
  }
}
