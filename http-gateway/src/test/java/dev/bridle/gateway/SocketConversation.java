package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.HistoryEnd;
import dev.bridle.fixtures.client.TestSocket;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Metadata;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A gateway whose core tells one stored event, for conversations over WebSockets. */
abstract class SocketConversation {
  static final String TASK = "/v1/tasks/t1/stream";
  static final String SESSION = "/v1/sessions/s1/events/stream";

  final AtomicReference<ServerCallStreamObserver<EventFrame>> stream = new AtomicReference<>();
  GatewayFixture fixture;

  @BeforeEach
  void start() {
    fixture =
        new GatewayFixture(
            options ->
                options
                    .withHeartbeatInterval(Duration.ofMillis(200))
                    .withListener(on -> on.withAllowedOrigins(Set.of("https://console.example"))));
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

  /** Opens a WebSocket with version and key in headers. */
  TestSocket open(String path) {
    return open(path, Map.of());
  }

  TestSocket open(String path, Map<String, String> more) {
    Map<String, String> headers = new HashMap<>(GatewayFixture.HEADERS);
    headers.putAll(more);
    return fixture.socket(path, headers);
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

  static String value(Metadata metadata, String name) {
    return metadata.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  /** Reads past what is stored. */
  static void live(TestSocket socket) {
    assertThat(socket.next().get("type").textValue()).isEqualTo("event");
    assertThat(socket.next().get("type").textValue()).isEqualTo("live");
  }

  static EventFrame frame(String id, String kind) {
    return EventFrame.newBuilder()
        .setEvent(
            Event.newBuilder().setId(id).setEvent(kind).setPayload(ByteString.copyFromUtf8("{}")))
        .build();
  }
}
