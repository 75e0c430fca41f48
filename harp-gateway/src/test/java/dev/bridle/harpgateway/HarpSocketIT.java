package dev.bridle.harpgateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.fixtures.client.RawSocket;
import dev.bridle.fixtures.client.TestSocket;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.relay.v1.OpenRequest;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.SubmitAckRequest;
import dev.bridle.relay.v1.SubmitArtifactRequest;
import dev.bridle.relay.v1.SubmitDecisionRequest;
import dev.bridle.relay.v1.UpdateRequest;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels of parties as WebSockets, before a core that is made up. */
final class HarpSocketIT {
  private static final String ENFORCER = "?role=enforcer&id=ci";
  private static final String ACK = "{\"msgType\":\"ack.submit\",\"requestId\":\"r7\",\"body\":{}}";

  private HarpFixture fixture;

  @BeforeEach
  void start() {
    fixture =
        new HarpFixture(
            options ->
                options
                    .withListener(
                        options.listener().withAllowedOrigins(Set.of("https://pages.test")))
                    .withPingInterval(Duration.ofMillis(200)));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private TestSocket open(String query) {
    return open(query, Map.of("Authorization", "Bearer key-1"));
  }

  private TestSocket open(String query, Map<String, String> headers) {
    return fixture.socket("/v1/ws" + query, headers);
  }

  private static ErrorDetail detail(ErrorCode code) {
    return ErrorDetail.newBuilder().setCode(code).setMessage("No.").build();
  }

  @ParameterizedTest
  @CsvSource({
    "?role=approver&id=phone%2F1, PARTY_ROLE_APPROVER, phone/1",
    "?id=ci&role=enforcer, PARTY_ROLE_ENFORCER, ci"
  })
  void eachSocketIsAChannelOfItsParty(String query, PartyRole role, String party) {
    try (TestSocket socket = open(query)) {
      assertThat(socket.hasNothing()).isTrue();
      assertThat(fixture.channels().allAsked())
          .containsExactly(
              OpenRequest.newBuilder()
                  .setRole(role)
                  .setPartyId(party)
                  .setTransport("websocket")
                  .setClaim(true)
                  .build());
    }
  }

  @Test
  void eachEnvelopeIsAFrameAsItIs() {
    String envelope = "{\"msgId\": \"m1\",\n\"msgType\":\"decision.deliver\"}";
    try (TestSocket socket = open(ENFORCER)) {
      fixture.channels().send(envelope);

      assertThat(socket.text()).isEqualTo(envelope);
    }
  }

  @Test
  void wakingAnApproverSendsNoMessage() {
    String envelope = "{\"msgId\":\"m1\",\"msgType\":\"approval.request\"}";
    try (TestSocket socket = open("?role=approver&id=phone")) {
      fixture.channels().wake();
      fixture.channels().send(envelope);

      assertThat(socket.text()).isEqualTo(envelope);
      socket.send("{\"msgType\":\"hello\"}");
      await().until(() -> fixture.channels().allAsked().size() == 2);
      assertThat(((UpdateRequest) fixture.channels().allAsked().get(1)).getChannelId())
          .as("the channel's id stays")
          .isEqualTo("channel-1");
    }
  }

  @Test
  void aHelloDescribesThePartyAndHasNoReply() {
    try (TestSocket socket = open(ENFORCER)) {
      socket.send(
          "{\"msgType\":\"hello\",\"capabilities\":{\"push\":true,\"poll\":false},"
              + "\"workspaceName\":\"shop\",\"enforcerLabel\":\"CI\",\"other\":1.5}");

      await().until(() -> fixture.channels().allAsked().size() == 2);
      assertThat(fixture.channels().allAsked().get(1))
          .isEqualTo(
              UpdateRequest.newBuilder()
                  .setChannelId("channel-1")
                  .setRole(PartyRole.PARTY_ROLE_ENFORCER)
                  .setPartyId("ci")
                  .setWorkspaceName("shop")
                  .setEnforcerLabel("CI")
                  .putCapabilities("push", true)
                  .putCapabilities("poll", false)
                  .build());
      fixture.relay.answer("{\"msgType\":\"ack.accepted\"}");
      socket.send(ACK);
      assertThat(socket.next().path("msgType").asText()).isEqualTo("ack.accepted");
    }
  }

  static Stream<Arguments> whatIsSubmittedIsTheSameCallAsOverRest() {
    return Stream.of(
        submission(
            "artifact.submit",
            sent -> SubmitArtifactRequest.newBuilder().setEnvelope(sent).build()),
        submission(
            "decision.submit",
            sent -> SubmitDecisionRequest.newBuilder().setEnvelope(sent).build()),
        submission("ack.submit", sent -> SubmitAckRequest.newBuilder().setEnvelope(sent).build()));
  }

  private static Arguments submission(String type, Function<ByteString, Message> call) {
    String envelope = "{\"body\": {\"msgType\":\"no\"}, \"msgType\": \"" + type + "\"}";
    return Arguments.of(envelope, call.apply(ByteString.copyFromUtf8(envelope)));
  }

  @ParameterizedTest
  @MethodSource
  void whatIsSubmittedIsTheSameCallAsOverRest(String envelope, Message call) {
    fixture.relay.answer("{\"msgType\": \"accepted\"}");
    try (TestSocket socket = open(ENFORCER)) {
      socket.send(envelope);

      assertThat(socket.text()).isEqualTo("{\"msgType\": \"accepted\"}");
      assertThat(fixture.relay.allAsked()).containsExactly(call);
    }
  }

  @Test
  void whatTheCoreRefusesIsAnErrorAndTheSocketGoesOn() {
    fixture.relay.refuse(
        detail(ErrorCode.ERROR_CODE_CONFLICT).toBuilder()
            .setDetails(
                ByteString.copyFromUtf8(
                    "{\"harp_code\":\"AlreadyDecidedConflict\",\"reason\":\"conflict\","
                        + "\"request_id\":\"r7\"}"))
            .build());
    try (TestSocket socket = open(ENFORCER)) {
      for (int i = 0; i < 2; i++) {
        socket.send(ACK);
        JsonNode error = socket.next();
        assertThat(error.path("msgType").asText()).isEqualTo("error");
        assertThat(error.path("requestId").asText()).isEqualTo("r7");
        assertThat(error.at("/body/code").asText()).isEqualTo("AlreadyDecidedConflict");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no JSON",
        "[]",
        "{}",
        "{\"msgType\":1}",
        "{\"msgType\":\"approval.request\",\"requestId\":\"r7\",\"msgId\":\"m\"}",
        "{\"msgType\":\"hello\",\"capabilities\":[]}",
        "{\"msgType\":\"hello\",\"capabilities\":{\"push\":\"yes\"}}",
        "{\"msgType\":\"hello\",\"workspaceName\":7}"
      })
  void whatIsNotTakenIsAnErrorAndTheSocketGoesOn(String message) {
    fixture.relay.answer("{\"msgType\":\"ack.accepted\"}");
    try (TestSocket socket = open(ENFORCER)) {
      socket.send(message);

      JsonNode error = socket.next();
      assertThat(error.path("msgType").asText()).isEqualTo("error");
      assertThat(error.path("requestId").asText())
          .isEqualTo(message.contains("\"r7\"") ? "r7" : "-");
      assertThat(error.at("/body/details/reason").asText()).isEqualTo("invalid_request");
      assertThat(fixture.relay.allAsked()).isEmpty();
      assertThat(fixture.channels().allAsked()).hasSize(1);
      socket.send(ACK);
      assertThat(socket.next().path("msgType").asText()).isEqualTo("ack.accepted");
    }
  }

  @Test
  void binaryFramesAreAnError() {
    try (TestSocket socket = open(ENFORCER)) {
      socket.send(RawSocket.LAST | RawSocket.BINARY, new byte[] {1});

      assertThat(socket.next().path("msgType").asText()).isEqualTo("error");
    }
  }

  @Test
  void theNextMessageIsReadWhenThePreviousOneIsAnswered() {
    fixture.relay.answer("{\"msgType\":\"ack.accepted\"}");
    fixture.relay.hold();
    try (TestSocket socket = open(ENFORCER)) {
      socket.send(ACK);
      socket.send(ACK);
      await().until(() -> fixture.relay.allAsked().size() == 1);
      fixture.channels().send("{\"msgType\":\"decision.deliver\"}");
      assertThat(socket.next().path("msgType").asText()).isEqualTo("decision.deliver");
      assertThat(fixture.relay.allAsked()).hasSize(1);

      fixture.relay.release();

      assertThat(socket.next().path("msgType").asText()).isEqualTo("ack.accepted");
      assertThat(socket.next().path("msgType").asText()).isEqualTo("ack.accepted");
      assertThat(fixture.relay.allAsked()).hasSize(2);
    }
  }

  @Test
  void aMessageThatIsTooLargeClosesTheSocket() {
    try (TestSocket socket = open(ENFORCER)) {
      socket.send("{\"msgType\":\"" + "x".repeat(GatewayEnvelope.MAX_BYTES) + "\"}");

      assertThat(socket.closeCode()).isEqualTo(1009);
    }
    assertThat(fixture.relay.allAsked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?role=enforcer",
        "?role=enforcer&id=",
        "?role=judge&id=ci",
        "?role=enforcer&id=ci&id=x",
        "?role=enforcer&id=ci&more=1"
      })
  void aHandshakeNamesRoleAndParty(String query) {
    assertThat(TestSocket.refusal(() -> open(query))).isEqualTo(400);
    assertThat(fixture.channels().allAsked()).isEmpty();
  }

  @Test
  void aHandshakeNeedsCredentialsWhichPagesSendAsASubprotocol() {
    assertThat(TestSocket.refusal(() -> open(ENFORCER, Map.of()))).isEqualTo(401);

    try (TestSocket socket =
        open(ENFORCER, Map.of(RawSocket.SUBPROTOCOLS, "harp-0.2, bearer.key-1"))) {
      assertThat(socket.subprotocol()).isEqualTo("harp-0.2");
    }
  }

  @ParameterizedTest
  @CsvSource({"https://pages.test, true", "https://elsewhere.test, false"})
  void onlyPagesOfAllowedOriginsOpenSockets(String origin, boolean allowed) {
    Runnable opening =
        () -> open(ENFORCER, Map.of("Authorization", "Bearer key-1", "Origin", origin)).close();
    if (allowed) {
      opening.run();
    } else {
      assertThat(TestSocket.refusal(opening)).isEqualTo(403);
    }
  }

  @Test
  void pagesOfAllowedOriginsMaySendTheHeadersOfRetriesAndTraces() throws Exception {
    HttpResponse<String> preflight =
        fixture.send(
            fixture
                .bare("/v1/pairing/complete")
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .header("Origin", "https://pages.test")
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "idempotency-key"),
            HttpResponse.BodyHandlers.ofString());

    assertThat(preflight.headers().firstValue("access-control-allow-headers").orElseThrow())
        .contains("idempotency-key", "last-event-id", "traceparent");
  }

  @Test
  void somebodyElsesPartyIsNotFound() {
    fixture.channels().refuse(detail(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND));

    assertThat(TestSocket.refusal(() -> open(ENFORCER))).isEqualTo(404);
  }

  @Test
  void aPlainRequestIsToldThatThePathIsAWebSocket() throws Exception {
    var response =
        fixture.send(fixture.request("/v1/ws" + ENFORCER), HttpResponse.BodyHandlers.ofString());

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("WebSocket");
  }

  @Test
  void aRevokedCredentialEndsTheSocketWithAnError() {
    try (TestSocket socket = open(ENFORCER)) {
      fixture
          .channels()
          .opened()
          .onError(FakeRelay.failure(detail(ErrorCode.ERROR_CODE_UNAUTHENTICATED)));

      assertThat(socket.next().at("/body/details/reason").asText()).isEqualTo("unauthenticated");
      assertThat(socket.closeCode()).isEqualTo(4401);
    }
  }

  @Test
  void aServerThatStopsSaysSo() throws Exception {
    try (TestSocket socket = open(ENFORCER)) {
      Thread stopping = new Thread(fixture.gateway::close);
      stopping.start();

      assertThat(socket.next().at("/body/details/reason").asText())
          .isEqualTo("service_unavailable");
      assertThat(socket.closeCode()).isEqualTo(1001);
      stopping.join();
    }
  }

  @Test
  void aSilentSocketIsPingedAndStaysOpenWhileItAnswers() {
    try (TestSocket socket = open(ENFORCER)) {
      await().until(() -> socket.pings() > 4);
      assertThat(socket.hasNothing()).isTrue();
    }
  }

  @Test
  void aClientThatLeavesEndsItsChannel() {
    TestSocket socket = open(ENFORCER);
    var channel = fixture.channels().opened();

    socket.close();

    await().until(channel::isCancelled);
    await().until(() -> fixture.gateway.streams().open() == 0);
  }
}
