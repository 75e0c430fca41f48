package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.HistoryEnd;
import dev.bridle.event.v1.StreamError;
import dev.bridle.fixtures.client.RawSocket;
import dev.bridle.fixtures.client.TestSocket;
import io.grpc.stub.ServerCallStreamObserver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events over WebSockets, and how conversations begin and end. */
final class SocketIT extends SocketConversation {
  @Test
  void eventsBecomeFramesOfWhichTheStoredOnesAreMarked() {
    try (TestSocket socket = open(TASK)) {
      JsonNode stored = socket.next();
      assertThat(stored.get("type").textValue()).isEqualTo("event");
      assertThat(stored.get("replayed").booleanValue()).isTrue();
      assertThat(stored.at("/event/id").textValue()).isEqualTo("e1");
      assertThat(stored.at("/event/object").textValue()).isEqualTo("event");
      assertThat(socket.next().get("type").textValue()).isEqualTo("live");

      stream.get().onNext(frame("e2", "task.started"));
      JsonNode told = socket.next();
      assertThat(told.get("replayed").booleanValue()).isFalse();
      assertThat(told.at("/event/id").textValue()).isEqualTo("e2");
    }
  }

  @Test
  void aToolIsAskedForWhereItWaitsWhenTheClientComesAndWhenItIsAskedLive() {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          stream.set(observer);
          observer.onNext(tool("e1", "tool.requested", "answered"));
          observer.onNext(tool("e2", "tool.requested", "open"));
          observer.onNext(tool("e3", "tool.failed", "answered"));
          observer.onNext(frame("e4", "tool.requested"));
          observer.onNext(EventFrame.newBuilder().setHistoryEnd(HistoryEnd.newBuilder()).build());
        });
    try (TestSocket socket = open(TASK)) {
      IntStream.range(0, 4).forEach(i -> assertThat(type(socket.next())).isEqualTo("event"));
      assertThat(type(socket.next())).isEqualTo("live");
      JsonNode waiting = socket.next();
      assertThat(type(waiting)).isEqualTo("tool.request");
      assertThat(waiting.get("task_id").textValue()).isEqualTo("t1");
      assertThat(waiting.get("event_id").textValue()).isEqualTo("e2");
      assertThat(waiting.at("/call/tool_call_id").textValue()).isEqualTo("open");

      stream.get().onNext(tool("e5", "tool.completed", "open"));
      stream.get().onNext(tool("e6", "tool.requested", "next"));

      assertThat(socket.next().at("/event/id").textValue()).isEqualTo("e5");
      assertThat(socket.next().at("/event/id").textValue()).isEqualTo("e6");
      assertThat(socket.next().at("/call/tool_call_id").textValue()).isEqualTo("next");
    }
  }

  @Test
  void ofManyToolsThatWaitTheNewestAreAskedFor() {
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(),
        (request, observer) -> {
          IntStream.range(0, 20)
              .forEach(i -> observer.onNext(tool("e" + i, "tool.requested", "call " + i)));
          observer.onNext(EventFrame.newBuilder().setHistoryEnd(HistoryEnd.newBuilder()).build());
        });
    try (TestSocket socket = open(TASK)) {
      IntStream.range(0, 21).forEach(i -> socket.next());
      IntStream.range(4, 20)
          .forEach(
              i ->
                  assertThat(socket.next().at("/call/tool_call_id").textValue())
                      .isEqualTo("call " + i));
    }
  }

  private static String type(JsonNode frame) {
    return frame.get("type").textValue();
  }

  private static EventFrame tool(String id, String kind, String call) {
    EventFrame.Builder frame = frame(id, kind).toBuilder();
    frame
        .getEventBuilder()
        .setTaskId("t1")
        .setPayload(
            ByteString.copyFromUtf8(
                "{\"mediated_by\":\"host\",\"tool_call_id\":\"" + call + "\"}"));
    return frame.build();
  }

  @Test
  void aStreamThatTheCoreEndsIsClosedAsDone() {
    try (TestSocket socket = open(TASK)) {
      live(socket);
      stream.get().onNext(frame("e2", "task.completed"));
      stream.get().onCompleted();

      assertThat(socket.next().at("/event/event").textValue()).isEqualTo("task.completed");
      assertThat(socket.closeCode()).isEqualTo(1000);
      await().until(() -> fixture.gateway.streams().open() == 0);
    }
  }

  @Test
  void aStreamIsTakenUpBehindAnyEvent() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);
      ServerCallStreamObserver<EventFrame> first = stream.get();

      JsonNode ack = socket.ask("{\"type\":\"resume\",\"id\":\"r\",\"last_event_id\":\"e0\"}");

      assertThat(ack.get("type").textValue()).isEqualTo("ack");
      assertThat(ack.get("id").textValue()).isEqualTo("r");
      assertThat(ack.at("/result/last_event_id").textValue()).isEqualTo("e0");
      assertThat(socket.next().get("replayed").booleanValue()).isTrue();
      assertThat(socket.next().get("type").textValue()).isEqualTo("live");
      assertThat(
              fixture
                  .core
                  .request(EventServiceGrpc.getStreamSessionEventsMethod())
                  .getLastEventId())
          .isEqualTo("e0");
      await().until(first::isCancelled);
      stream.get().onNext(frame("e2", "user.message"));
      assertThat(socket.next().at("/event/id").textValue()).isEqualTo("e2");
    }
  }

  @Test
  void aCursorThatIsRefusedLeavesTheStreamWhereItIs() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);
      ServerCallStreamObserver<EventFrame> first = stream.get();
      fixture.core.stream(
          EventServiceGrpc.getStreamSessionEventsMethod(),
          (request, observer) ->
              observer.onError(
                  FakeCore.failure(ErrorCode.ERROR_CODE_INVALID_REQUEST, "No cursor.")));

      JsonNode error = socket.ask("{\"type\":\"resume\",\"id\":\"r\",\"last_event_id\":\"\\n\"}");

      assertThat(error.get("id").textValue()).isEqualTo("r");
      assertThat(error.at("/error/code").textValue()).isEqualTo("invalid_request");
      first.onNext(frame("e2", "user.message"));
      assertThat(socket.next().at("/event/id").textValue()).isEqualTo("e2");
    }
  }

  @Test
  void anExpiredCursorIsToldAndCloses() {
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
    try (TestSocket socket = open(TASK, Map.of("Last-Event-ID", "e2"))) {
      JsonNode error = socket.next();

      assertThat(error.at("/error/code").textValue()).isEqualTo("cursor_expired");
      assertThat(error.get("last_event_id").textValue()).isEqualTo("e5");
      assertThat(socket.closeCode()).isEqualTo(4410);
      assertThat(socket.reason()).isEqualTo("cursor_expired");
    }
  }

  @Test
  void aStopOfTheGatewayTellsWhereToResume() {
    try (TestSocket socket = open(TASK)) {
      live(socket);
      fixture.gateway.close();

      JsonNode error = socket.next();
      assertThat(error.at("/error/code").textValue()).isEqualTo("service_unavailable");
      assertThat(error.get("last_event_id").textValue()).isEqualTo("e1");
      assertThat(socket.closeCode()).isEqualTo(1001);
      await().until(() -> stream.get().isCancelled());
    }
  }

  @Test
  void pingsOfTheClientAreAnswered() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);
      socket.send(
          RawSocket.LAST | RawSocket.PING, "are you there?".getBytes(StandardCharsets.UTF_8));

      await().until(() -> socket.pongs().equals(List.of("are you there?")));
      assertThat(socket.ask("{\"type\":\"ping\",\"id\":\"p\"}").toString())
          .isEqualTo("{\"type\":\"pong\",\"id\":\"p\"}");
    }
  }

  @Test
  void aSilentConnectionCarriesHeartbeatsAndStaysOpenWhileTheClientAnswers() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);
      for (int i = 0; i < 8; i++) {
        assertThat(socket.heartbeat().get("type").textValue()).isEqualTo("heartbeat");
      }
      assertThat(socket.ask("{\"type\":\"ping\"}").get("type").textValue()).isEqualTo("pong");
    }
  }

  @Test
  void aClientThatClosesIsAnsweredAndItsStreamEnds() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);
      socket.send(
          RawSocket.LAST | RawSocket.CLOSE, new byte[] {0x10, (byte) 0xE1, 'd', 'o', 'n', 'e'});

      assertThat(socket.closeCode()).isEqualTo(4321);
      await().until(() -> stream.get().isCancelled());
      await().until(() -> fixture.gateway.streams().open() == 0);
    }
  }

  @Test
  void aClientThatIsGoneEndsItsStream() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);
    }
    await().until(() -> stream.get().isCancelled());
    await().until(() -> fixture.gateway.streams().open() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?last_event_id=e7"})
  void aBrowserSaysVersionTokenAndCursorInItsOwnWay(String query) {
    try (TestSocket socket =
        fixture.socket(
            SESSION + query,
            Map.of(RawSocket.SUBPROTOCOLS, GatewayFixture.VERSION + ", bearer.key-9"))) {
      live(socket);

      assertThat(socket.subprotocol()).isEqualTo(GatewayFixture.VERSION);
      var method = EventServiceGrpc.getStreamSessionEventsMethod();
      assertThat(value(fixture.core.metadata(method), "authorization")).isEqualTo("Bearer key-9");
      assertThat(fixture.core.request(method).getLastEventId())
          .isEqualTo(query.isEmpty() ? "" : "e7");
    }
  }

  /**
   * Clients in Java use it. Little comes after the handshake here, since it loses bytes where more
   * than 16 KiB do.
   */
  @Test
  void theClientOfTheJdkReadsEvents() {
    StringBuilder text = new StringBuilder();
    CompletableFuture<Void> live = new CompletableFuture<>();
    WebSocket.Listener listener =
        new WebSocket.Listener() {
          @Override
          public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (text.indexOf("\"live\"") >= 0) {
              live.complete(null);
            }
            from.request(1);
            return null;
          }
        };
    WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
    GatewayFixture.HEADERS.forEach(builder::header);
    URI uri = URI.create(fixture.gateway.baseUrl().toString().replaceFirst("^http", "ws") + TASK);
    WebSocket socket = builder.buildAsync(uri, listener).join();

    live.orTimeout(60, TimeUnit.SECONDS).join();
    socket.abort();

    assertThat(text.toString()).contains("task.submitted");
  }
}
