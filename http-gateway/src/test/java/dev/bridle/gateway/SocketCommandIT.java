package dev.bridle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.fixtures.client.RawSocket;
import dev.bridle.fixtures.client.TestSocket;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands over WebSockets, and messages that are none. */
final class SocketCommandIT extends SocketConversation {
  private static final String MESSAGE =
      "{\"message\":{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"hi\","
          + "\"visibility\":\"public\"}]}}";

  @Test
  void aCommandIsTheRestOperationAndIsAnsweredWithItsResult() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);

      JsonNode ack =
          socket.ask(
              "{\"type\":\"session.message\",\"id\":\"c1\",\"idempotency_key\":\"k1\",\"body\":"
                  + MESSAGE
                  + "}");

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
  void anUnknownMemberOfABodyIsRefusedOrIgnoredAsTheFramePrefers() {
    String body = ",\"body\":{\"extra\":1,\"message\":{\"x\":1," + MESSAGE.substring(12) + "}";
    try (TestSocket socket = open(SESSION)) {
      live(socket);

      JsonNode error = socket.ask("{\"type\":\"session.message\"" + body);
      JsonNode ack =
          socket.ask("{\"type\":\"session.message\",\"prefer\":\"handling=lenient\\n\"" + body);

      assertThat(error.at("/error/param").textValue()).isEqualTo("extra");
      assertThat(error.at("/error/details/unknown")).hasToString("[\"extra\",\"message.x\"]");
      assertThat(ack.get("status").intValue()).isEqualTo(201);
      assertThat(ack.get("ignored")).hasToString("[\"extra\",\"message.x\"]");
    }
    try (TestSocket lenient = open(SESSION, Map.of("Prefer", "handling=lenient"))) {
      live(lenient);

      assertThat(lenient.ask("{\"type\":\"session.message\"" + body).get("ignored")).hasSize(2);
      assertThat(
              lenient
                  .ask("{\"type\":\"session.message\",\"prefer\":\"handling=strict\"" + body)
                  .at("/error/param")
                  .textValue())
          .isEqualTo("extra");
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "session.message | idempotencykey",
        "session.message | task_id",
        "ping | last_event_id",
        "resume | body",
      })
  void anUnknownMemberOfTheFrameIsRefusedByName(String type, String member) {
    try (TestSocket socket = open(SESSION)) {
      live(socket);

      JsonNode error =
          socket.ask("{\"type\":\"" + type + "\",\"" + member + "\":\"x\",\"id\":\"7\"}");

      assertThat(error.get("id").textValue()).isEqualTo("7");
      assertThat(error.at("/error/param").textValue()).isEqualTo(member);
      assertThat(error.at("/error/message").textValue()).contains("does not have this member");
    }
  }

  @Test
  void aLenientFrameHasItsUnknownMembersNamed() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);

      JsonNode ack =
          socket.ask(
              "{\"type\":\"session.message\",\"prefer\":\"handling=lenient\",\"newer\":1,\"body\":"
                  + MESSAGE
                  + "}");

      assertThat(ack.get("status").intValue()).isEqualTo(201);
      assertThat(ack.get("ignored")).hasToString("[\"newer\"]");
    }
  }

  @Test
  void aCommandNamesWhatThePathDoesNotImplyAndMayNameAnother() {
    fixture.core.answer(
        TaskServiceGrpc.getAppendTaskMessageMethod(),
        request -> Message.newBuilder().setId("m2").build());
    try (TestSocket socket = open(TASK)) {
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
    try (TestSocket socket = open(TASK)) {
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
    try (TestSocket socket = open(SESSION)) {
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
    try (TestSocket socket = open(SESSION)) {
      live(socket);
      socket.send(RawSocket.LAST | RawSocket.BINARY, new byte[] {1, 2, 3});

      assertThat(socket.next().at("/error/code").textValue()).isEqualTo("invalid_request");
      assertThat(socket.ask("{\"type\":\"ping\",\"id\":\"p\"}").get("id").textValue())
          .isEqualTo("p");
    }
  }

  @Test
  void aFrameNestsAsDeepAsABodyMay() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);
      String open = "{\"message\":{\"role\":\"user\",\"parts\":[],\"metadata\":{\"x\":";
      String deepest = open + "[".repeat(61) + "]".repeat(61) + "}}}";
      String deeper = open + "[".repeat(62) + "]".repeat(62) + "}}}";

      assertThat(
              socket
                  .ask("{\"type\":\"session.message\",\"body\":" + deepest + "}")
                  .get("type")
                  .textValue())
          .isEqualTo("ack");
      assertThat(
              socket
                  .ask("{\"type\":\"session.message\",\"body\":" + deeper + "}")
                  .at("/error/message")
                  .textValue())
          .contains("nested deeper");
    }
  }

  @Test
  void aMessageInManyFragmentsIsOne() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);
      byte[] text = "{\"type\":\"ping\",\"id\":\"häppchen\"}".getBytes(StandardCharsets.UTF_8);
      socket.send(RawSocket.TEXT, new byte[] {text[0]});
      for (int i = 1; i < text.length; i++) {
        int last = i == text.length - 1 ? RawSocket.LAST : 0;
        socket.send(last | RawSocket.CONTINUATION, new byte[] {text[i]});
      }

      assertThat(socket.next().get("id").textValue()).isEqualTo("häppchen");
    }
  }

  @Test
  void aMessageAboveTheLimitClosesTheConnection() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);
      socket.send("x".repeat((1 << 20) + 1));

      assertThat(socket.closeCode()).isEqualTo(1009);
    }
  }

  @Test
  void fragmentsAboveTheLimitCloseTheConnectionToo() {
    try (TestSocket socket = open(SESSION)) {
      live(socket);
      socket.send(RawSocket.TEXT, new byte[1 << 20]);
      socket.send(RawSocket.LAST | RawSocket.CONTINUATION, new byte[1]);

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
            assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return Message.newBuilder()
              .setId(request.getMessage().getParts(0).getText().getText())
              .build();
        });
    try (TestSocket socket = open(SESSION)) {
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
  void aTaskThatEndsWhileACommandIsAnsweredIsClosedAfterTheAnswer() {
    fixture.core.answer(
        TaskServiceGrpc.getCancelTaskMethod(),
        request -> {
          stream.get().onNext(frame("e2", "task.canceled"));
          stream.get().onCompleted();
          return Task.newBuilder().setId("t1").build();
        });
    try (TestSocket socket = open(TASK)) {
      live(socket);

      assertThat(socket.ask("{\"type\":\"task.cancel\"}").get("type").textValue())
          .isEqualTo("event");
      assertThat(socket.next().get("type").textValue()).isEqualTo("ack");
      assertThat(socket.closeCode()).isEqualTo(1000);
    }
  }
}
