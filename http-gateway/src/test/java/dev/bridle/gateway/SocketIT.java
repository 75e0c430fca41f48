package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.HistoryEnd;
import dev.bridle.event.v1.StreamError;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversations over WebSockets. */
final class SocketIT {

  private static final String TASK = "/v1/tasks/t1/stream";
  private static final String SESSION = "/v1/sessions/s1/events/stream";
  private static final String MESSAGE =
      "{\"message\":{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"hi\","
          + "\"visibility\":\"public\"}]}}";

  private final AtomicReference<ServerCallStreamObserver<EventFrame>> stream =
      new AtomicReference<>();
  private GatewayFixture fixture;

  @BeforeEach
  void start() {
    fixture =
        new GatewayFixture(
            options ->
                options
                    .withHeartbeatInterval(Duration.ofMillis(200))
                    .withAllowedOrigins(Set.of("https://console.example")));
    fixture.core.stream(
        EventServiceGrpc.getStreamTaskEventsMethod(), (request, observer) -> opened(observer));
    fixture.core.stream(
        EventServiceGrpc.getStreamSessionEventsMethod(), (request, observer) -> opened(observer));
    fixture.core.answer(
        MessageServiceGrpc.getAppendSessionMessageMethod(),
        request -> Message.newBuilder().setId("m1").build());
    fixture.core.answer(
        TaskServiceGrpc.getCancelTaskMethod(),
        request -> Task.newBuilder().setId(request.getTaskId()).build());
  }

  private void opened(ServerCallStreamObserver<EventFrame> observer) {
    stream.set(observer);
    observer.onNext(frame("e1", "task.submitted"));
    observer.onNext(EventFrame.newBuilder().setHistoryEnd(HistoryEnd.newBuilder()).build());
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void eventsBecomeFramesOfWhichTheStoredOnesAreMarked() {
    try (TestSocket socket = TestSocket.open(fixture, TASK)) {
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
    try (TestSocket socket = TestSocket.open(fixture, TASK)) {
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
    try (TestSocket socket = TestSocket.open(fixture, TASK)) {
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
    try (TestSocket socket = TestSocket.open(fixture, TASK)) {
      live(socket);
      stream.get().onNext(frame("e2", "task.completed"));
      stream.get().onCompleted();

      assertThat(socket.next().at("/event/event").textValue()).isEqualTo("task.completed");
      assertThat(socket.closeCode()).isEqualTo(1000);
      await().until(() -> fixture.gateway.streams().open() == 0);
    }
  }

  @Test
  void aCommandIsTheRestOperationAndIsAnsweredWithItsResult() {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);

      JsonNode ack =
          socket.ask(
              "{\"type\":\"session.message\",\"id\":\"c1\",\"idempotency_key\":\"k1\",\"body\":"
                  + MESSAGE
                  + ",\"unknown\":[]}");

      assertThat(ack.get("type").textValue()).isEqualTo("ack");
      assertThat(ack.get("id").textValue()).isEqualTo("c1");
      assertThat(ack.get("status").intValue()).isEqualTo(201);
      assertThat(ack.at("/result/object").textValue()).isEqualTo("message");
      var method = MessageServiceGrpc.getAppendSessionMessageMethod();
      assertThat(fixture.core.request(method).getSessionId()).isEqualTo("s1");
      assertThat(fixture.core.request(method).getMessage().getParts(0).getText().getText())
          .isEqualTo("hi");
      Metadata metadata = fixture.core.metadata(method);
      assertThat(value(metadata, "idempotency-key")).isEqualTo("k1");
      assertThat(value(metadata, "authorization")).isEqualTo("Bearer key-1");
      assertThat(value(metadata, "bridle-request-id")).startsWith("req_");
    }
  }

  @Test
  void aCommandNamesWhatThePathDoesNotImplyAndMayNameAnother() {
    fixture.core.answer(
        TaskServiceGrpc.getAppendTaskMessageMethod(),
        request -> Message.newBuilder().setId("m2").build());
    try (TestSocket socket = TestSocket.open(fixture, TASK)) {
      live(socket);

      assertThat(socket.ask("{\"type\":\"task.cancel\"}").at("/result/id").textValue())
          .isEqualTo("t1");
      assertThat(
              socket
                  .ask("{\"type\":\"task.cancel\",\"task_id\":\"t2\",\"body\":{\"reason\":\"no\"}}")
                  .at("/result/id")
                  .textValue())
          .isEqualTo("t2");
      socket.ask(
          "{\"type\":\"task.message\",\"body\":{\"kind\":\"input\"," + MESSAGE.substring(1) + "}");
      assertThat(fixture.core.request(TaskServiceGrpc.getAppendTaskMessageMethod()).getKind())
          .isEqualTo(TaskMessageKind.TASK_MESSAGE_KIND_INPUT);

      JsonNode error =
          socket.ask("{\"type\":\"session.message\",\"id\":\"c3\",\"body\":" + MESSAGE + "}");
      assertThat(error.get("type").textValue()).isEqualTo("error");
      assertThat(error.get("id").textValue()).isEqualTo("c3");
      assertThat(error.at("/error/param").textValue()).isEqualTo("session_id");
    }
  }

  @Test
  void anErrorOfTheCoreIsTheEnvelopesError() {
    fixture.core.answer(
        TaskServiceGrpc.getCancelTaskMethod(),
        request -> {
          throw FakeCore.failure(
              ErrorDetail.newBuilder()
                  .setCode(ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION)
                  .setMessage("It has ended.")
                  .setDetails(ByteString.copyFromUtf8("{\"status\":\"COMPLETED\"}"))
                  .build(),
              Status.FAILED_PRECONDITION);
        });
    try (TestSocket socket = TestSocket.open(fixture, TASK)) {
      live(socket);

      JsonNode error = socket.ask("{\"type\":\"task.cancel\",\"id\":\"c\"}").get("error");

      assertThat(error.get("code").textValue()).isEqualTo("invalid_state_transition");
      assertThat(error.get("type").textValue()).isEqualTo("request_error");
      assertThat(error.at("/details/status").textValue()).isEqualTo("COMPLETED");
      assertThat(error.get("request_id").textValue()).startsWith("req_");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense | ''",
        "{} | type",
        "[1] | ''",
        "{\"type\":7} | type",
        "{\"type\":\"no.such\"} | type",
        "{\"type\":\"ping\",\"id\":7} | id",
        "{\"type\":\"ping\",\"type\":\"ping\"} | type",
        "{\"type\":\"session.message\"} | body",
        "{\"type\":\"session.message\",\"body\":[]} | ''",
        "{\"type\":\"session.message\",\"body\":{\"message\":7}} | message",
        "{\"type\":\"session.message\",\"idempotency_key\":\"\"} | idempotency_key",
        "{\"type\":\"session.message\",\"session_id\":[]} | session_id",
        "{\"type\":\"resume\"} | last_event_id",
      })
  void aFrameWithAFaultIsRefusedAndTheConnectionGoesOn(String text, String param) {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);

      JsonNode error = socket.ask(text);

      assertThat(error.get("type").textValue()).isEqualTo("error");
      assertThat(error.at("/error/code").textValue()).isEqualTo("invalid_request");
      assertThat(error.at("/error/param").asText("")).isEqualTo(param == null ? "" : param);
      assertThat(socket.ask("{\"type\":\"ping\"}").get("type").textValue()).isEqualTo("pong");
    }
  }

  @Test
  void aBinaryMessageIsRefusedAndTheConnectionGoesOn() {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);
      socket.socket().sendBinary(ByteBuffer.wrap(new byte[] {1, 2, 3}), true).join();

      assertThat(socket.next().at("/error/code").textValue()).isEqualTo("invalid_request");
      assertThat(socket.ask("{\"type\":\"ping\",\"id\":\"p\"}").get("id").textValue())
          .isEqualTo("p");
    }
  }

  @Test
  void aFrameNestsAsDeepAsABodyMay() {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);
      String deepest = "{\"x\":" + "[".repeat(63) + "]".repeat(63) + "}";
      String deeper = "{\"x\":" + "[".repeat(64) + "]".repeat(64) + "}";

      assertThat(
              socket
                  .ask("{\"type\":\"session.message\",\"body\":" + deepest + "}")
                  .get("type")
                  .textValue())
          .isEqualTo("ack");
      assertThat(
              socket
                  .ask("{\"type\":\"session.message\",\"body\":" + deeper + "}")
                  .at("/error/code")
                  .textValue())
          .isEqualTo("invalid_request");
    }
  }

  @Test
  void aMessageInManyFragmentsIsOne() {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);
      String text = "{\"type\":\"ping\",\"id\":\"häppchen\"}";
      for (int i = 0; i < text.length(); i++) {
        socket.socket().sendText(text.substring(i, i + 1), i == text.length() - 1).join();
      }

      assertThat(socket.next().get("id").textValue()).isEqualTo("häppchen");
    }
  }

  @Test
  void aMessageAboveTheLimitClosesTheConnection() {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);
      var unused = socket.socket().sendText("x".repeat((1 << 20) + 1), true);

      assertThat(socket.closeCode()).isEqualTo(1009);
    }
  }

  @Test
  void fragmentsAboveTheLimitCloseTheConnectionToo() {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);
      socket.socket().sendText("x".repeat(1 << 20), false).join();
      var unused = socket.socket().sendText("x", true);

      assertThat(socket.closeCode()).isEqualTo(1009);
    }
  }

  @Test
  void commandsOfOneConnectionAreAppliedOneAfterTheOtherInTheirOrder() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    fixture.core.answer(
        MessageServiceGrpc.getAppendSessionMessageMethod(),
        request -> {
          begun.incrementAndGet();
          try {
            assertThat(release.await(10, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return Message.newBuilder()
              .setId(request.getMessage().getParts(0).getText().getText())
              .build();
        });
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);
      IntStream.range(0, 20)
          .forEach(
              i ->
                  socket.send(
                      "{\"type\":\"session.message\",\"id\":\"c"
                          + i
                          + "\",\"body\":"
                          + MESSAGE.replace("hi", "m" + i)
                          + "}"));
      await().until(() -> begun.get() == 1);
      release.countDown();

      for (int i = 0; i < 20; i++) {
        JsonNode ack = socket.next();
        assertThat(ack.get("id").textValue()).isEqualTo("c" + i);
        assertThat(ack.at("/result/id").textValue()).isEqualTo("m" + i);
      }
      assertThat(begun.get()).isEqualTo(20);
    }
  }

  @Test
  void aStreamIsTakenUpBehindAnyEvent() {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
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
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
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
    try (TestSocket socket =
        TestSocket.open(fixture, TASK, to -> to.header("Last-Event-ID", "e2"))) {
      JsonNode error = socket.next();

      assertThat(error.at("/error/code").textValue()).isEqualTo("cursor_expired");
      assertThat(error.get("last_event_id").textValue()).isEqualTo("e5");
      assertThat(socket.closeCode()).isEqualTo(4410);
      assertThat(socket.reason()).isEqualTo("cursor_expired");
    }
  }

  @Test
  void aStopOfTheGatewayTellsWhereToResume() {
    try (TestSocket socket = TestSocket.open(fixture, TASK)) {
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
  void aTaskThatEndsWhileACommandIsAnsweredIsClosedAfterTheAnswer() {
    fixture.core.answer(
        TaskServiceGrpc.getCancelTaskMethod(),
        request -> {
          stream.get().onNext(frame("e2", "task.canceled"));
          stream.get().onCompleted();
          return Task.newBuilder().setId("t1").build();
        });
    try (TestSocket socket = TestSocket.open(fixture, TASK)) {
      live(socket);

      assertThat(socket.ask("{\"type\":\"task.cancel\"}").get("type").textValue())
          .isEqualTo("event");
      assertThat(socket.next().get("type").textValue()).isEqualTo("ack");
      assertThat(socket.closeCode()).isEqualTo(1000);
    }
  }

  @Test
  void pingsOfTheClientAreAnswered() {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);
      socket
          .socket()
          .sendPing(ByteBuffer.wrap("are you there?".getBytes(StandardCharsets.UTF_8)))
          .join();

      await().until(() -> socket.pongs().equals(List.of("are you there?")));
      assertThat(socket.ask("{\"type\":\"ping\",\"id\":\"p\"}").toString())
          .isEqualTo("{\"type\":\"pong\",\"id\":\"p\"}");
    }
  }

  @Test
  void aSilentConnectionCarriesHeartbeatsAndStaysOpenWhileTheClientAnswers() {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);
      for (int i = 0; i < 8; i++) {
        assertThat(socket.heartbeat().get("type").textValue()).isEqualTo("heartbeat");
      }
      assertThat(socket.ask("{\"type\":\"ping\"}").get("type").textValue()).isEqualTo("pong");
    }
  }

  @Test
  void aClientThatClosesIsAnsweredAndItsStreamEnds() {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);
      socket.socket().sendClose(4321, "done").join();

      assertThat(socket.closeCode()).isEqualTo(4321);
      await().until(() -> stream.get().isCancelled());
      await().until(() -> fixture.gateway.streams().open() == 0);
    }
  }

  @Test
  void aClientThatIsGoneEndsItsStream() {
    try (TestSocket socket = TestSocket.open(fixture, SESSION)) {
      live(socket);
    }
    await().until(() -> stream.get().isCancelled());
    await().until(() -> fixture.gateway.streams().open() == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?last_event_id=e7"})
  void aBrowserSaysVersionTokenAndCursorInItsOwnWay(String query) {
    try (TestSocket socket =
        TestSocket.bare(
            fixture,
            SESSION + query,
            to -> to.subprotocols(GatewayFixture.VERSION, "bearer.key-9"))) {
      live(socket);

      assertThat(socket.socket().getSubprotocol()).isEqualTo(GatewayFixture.VERSION);
      var method = EventServiceGrpc.getStreamSessionEventsMethod();
      assertThat(value(fixture.core.metadata(method), "authorization")).isEqualTo("Bearer key-9");
      assertThat(fixture.core.request(method).getLastEventId())
          .isEqualTo(query.isEmpty() ? "" : "e7");
    }
  }

  private static String value(Metadata metadata, String name) {
    return metadata.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  /** Reads past what is stored. */
  private static void live(TestSocket socket) {
    assertThat(socket.next().get("type").textValue()).isEqualTo("event");
    assertThat(socket.next().get("type").textValue()).isEqualTo("live");
  }

  private static EventFrame frame(String id, String kind) {
    return EventFrame.newBuilder()
        .setEvent(
            Event.newBuilder().setId(id).setEvent(kind).setPayload(ByteString.copyFromUtf8("{}")))
        .build();
  }
}
