package dev.bridle.harpgateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import dev.bridle.harp.gateway.GatewayEnvelope;
import dev.bridle.relay.v1.DismissRequest;
import dev.bridle.relay.v1.GetExchangeRequest;
import dev.bridle.relay.v1.ListInboxRequest;
import dev.bridle.relay.v1.PartyRole;
import dev.bridle.relay.v1.SubmitAckRequest;
import dev.bridle.relay.v1.SubmitArtifactRequest;
import dev.bridle.relay.v1.SubmitDecisionRequest;
import dev.bridle.relay.v1.WaitDecisionRequest;
import dev.bridle.relay.v1.WithdrawRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of HTTP requests, over real sockets, before a core that is made up. */
final class HarpGatewayIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String ENVELOPE = "{\"msgType\":\"some\",\"n\":1}";
  private static final ByteString SENT = ByteString.copyFromUtf8(ENVELOPE);

  private static final FakeRelay relay = new FakeRelay();
  private static final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static HarpGateway gateway;

  @BeforeAll
  static void start() {
    gateway =
        HarpGateway.start(
            relay.channel(),
            HarpGatewayOptions.defaults()
                .withListener(
                    ListenerOptions.defaults()
                        .withPort(0)
                        .withShutdownTimeout(Duration.ofMillis(200))));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    relay.close();
  }

  @BeforeEach
  void forget() {
    relay.forget();
  }

  private HttpRequest.Builder bare(String path) {
    return HttpRequest.newBuilder(URI.create(gateway.baseUrl() + path))
        .timeout(Duration.ofSeconds(20));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return send(
        bare(path)
            .header("Authorization", "Bearer key-1")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
  }

  private static JsonNode error(HttpResponse<String> response) throws Exception {
    assertThat(response.headers().firstValue("content-type")).contains("application/harp+json");
    JsonNode envelope = MAPPER.readTree(response.body());
    assertThat(envelope.path("msgType").asText()).isEqualTo("error");
    assertThat(envelope.path("sender").isObject()).isTrue();
    assertThat(envelope.path("createdAt").asText()).endsWith("Z");
    return envelope.path("body");
  }

  @ParameterizedTest
  @MethodSource("eachEndpointIsOneCallOfTheCore")
  void aParameterThatAnEndpointDoesNotHaveIsRefusedByName(
      String method, String path, String body, int status, Message asked) throws Exception {
    HttpResponse<String> response =
        send(method, path + (path.contains("?") ? '&' : '?') + "zz=1", body);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("zz");
    assertThat(relay.allAsked()).as("instead of " + status + " for " + asked).isEmpty();
  }

  static Stream<Arguments> eachEndpointIsOneCallOfTheCore() {
    return Stream.of(
        Arguments.of(
            "POST",
            "/v1/artifacts",
            ENVELOPE,
            202,
            SubmitArtifactRequest.newBuilder().setEnvelope(SENT).build()),
        Arguments.of(
            "POST",
            "/v1/decisions",
            ENVELOPE,
            200,
            SubmitDecisionRequest.newBuilder().setEnvelope(SENT).build()),
        Arguments.of(
            "POST",
            "/v1/acks",
            ENVELOPE,
            200,
            SubmitAckRequest.newBuilder().setEnvelope(SENT).build()),
        Arguments.of(
            "GET",
            "/v1/approvers/phone%2F1/inbox?limit=5&cursor=c",
            "",
            200,
            ListInboxRequest.newBuilder()
                .setRole(PartyRole.PARTY_ROLE_APPROVER)
                .setPartyId("phone/1")
                .setLimit(5)
                .setCursor("c")
                .build()),
        Arguments.of(
            "GET",
            "/v1/approvers/a/inbox/expired",
            "",
            200,
            ListInboxRequest.newBuilder()
                .setRole(PartyRole.PARTY_ROLE_APPROVER)
                .setPartyId("a")
                .setExpired(true)
                .build()),
        Arguments.of(
            "GET",
            "/v1/enforcers/e/inbox",
            "",
            200,
            ListInboxRequest.newBuilder()
                .setRole(PartyRole.PARTY_ROLE_ENFORCER)
                .setPartyId("e")
                .build()),
        Arguments.of(
            "DELETE",
            "/v1/approvers/a/inbox/r",
            "",
            204,
            DismissRequest.newBuilder().setApproverId("a").setRequestId("r").build()),
        Arguments.of(
            "GET",
            "/v1/exchanges/r",
            "",
            200,
            GetExchangeRequest.newBuilder().setRequestId("r").build()),
        Arguments.of(
            "GET",
            "/v1/exchanges/r/wait?timeout=60",
            "",
            200,
            WaitDecisionRequest.newBuilder().setRequestId("r").setTimeoutSeconds(60).build()),
        Arguments.of(
            "POST",
            "/v1/exchanges/r/withdraw",
            "",
            200,
            WithdrawRequest.newBuilder().setRequestId("r").build()));
  }

  @ParameterizedTest
  @MethodSource
  void eachEndpointIsOneCallOfTheCore(
      String method, String path, String body, int status, Message call) throws Exception {
    relay.answer("{\"msgType\": \"answer\"}");

    HttpResponse<String> response = send(method, path, body);

    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(relay.allAsked()).containsExactly(call);
    assertThat(response.body()).isEqualTo(status == 204 ? "" : "{\"msgType\": \"answer\"}");
    assertThat(response.headers().firstValue("cache-control")).contains("no-store");
    if (status != 204) {
      assertThat(response.headers().firstValue("content-type")).contains("application/harp+json");
    }
  }

  @Test
  void aWaitWithoutADecisionHasNoContent() throws Exception {
    assertThat(send("GET", "/v1/exchanges/r/wait", "").statusCode()).isEqualTo(204);
    assertThat(relay.asked()).isEqualTo(WaitDecisionRequest.newBuilder().setRequestId("r").build());
  }

  @Test
  void aFailureOfTheCoreIsAnEnvelopeWithHarpsCode() throws Exception {
    relay.refuse(
        ErrorDetail.newBuilder()
            .setCode(ErrorCode.ERROR_CODE_CONFLICT)
            .setMessage("The exchange was decided before.")
            .setDetails(
                ByteString.copyFromUtf8(
                    "{\"harp_code\":\"AlreadyDecidedConflict\",\"reason\":\"conflict\","
                        + "\"request_id\":\"r1\",\"state\":\"decided\"}"))
            .build());

    HttpResponse<String> response = send("POST", "/v1/decisions", ENVELOPE);

    assertThat(response.statusCode()).isEqualTo(409);
    JsonNode body = error(response);
    assertThat(body.path("code").asText()).isEqualTo("AlreadyDecidedConflict");
    assertThat(body.path("requestId").asText()).isEqualTo("r1");
    assertThat(MAPPER.readTree(response.body()).path("requestId").asText()).isEqualTo("r1");
    assertThat(body.at("/details/reason").asText()).isEqualTo("conflict");
    assertThat(body.at("/details/state").asText()).isEqualTo("decided");
    assertThat(body.at("/details/retryable").isBoolean()).isTrue();
    assertThat(body.at("/details/retryable").asBoolean()).isFalse();
  }

  @Test
  void whatMayWorkLaterSaysSo() throws Exception {
    relay.refuse(
        ErrorDetail.newBuilder()
            .setCode(ErrorCode.ERROR_CODE_RATE_LIMITED)
            .setMessage("Too many.")
            .setRetryAfterSeconds(30)
            .build());

    HttpResponse<String> response = send("POST", "/v1/artifacts", ENVELOPE);

    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.headers().firstValue("retry-after")).contains("30");
    assertThat(error(response).at("/details/retryable").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/nowhere, 404, resource_not_found",
    "GET, /v1/artifacts, 405, invalid_request",
    "GET, /v1/exchanges/r/wait?timeout=soon, 400, invalid_request",
    "GET, /v1/exchanges/r/wait?timeout=1&timeout=2, 400, invalid_request",
    "GET, /v1/exchanges/r?verbose=1, 400, invalid_request",
    "GET, /v1/approvers/a/inbox?limit=1.5, 400, invalid_request"
  })
  void whatTheBindingDoesNotHaveIsRefused(String method, String path, int status, String reason)
      throws Exception {
    HttpResponse<String> response = send(method, path, "");

    assertThat(response.statusCode()).isEqualTo(status);
    JsonNode body = error(response);
    assertThat(body.path("code").asText()).isEqualTo("HARP_ERR_TRANSPORT");
    assertThat(body.has("requestId")).isFalse();
    assertThat(MAPPER.readTree(response.body()).path("requestId").asText()).isEqualTo("-");
    assertThat(body.at("/details/reason").asText()).isEqualTo(reason);
    assertThat(relay.allAsked()).isEmpty();
  }

  @Test
  void eachEndpointThatSaysSomethingOfSomebodyNeedsCredentials() throws Exception {
    HttpResponse<String> refused = send(bare("/v1/exchanges/r"));
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(error(refused).at("/details/reason").asText()).isEqualTo("unauthenticated");
    assertThat(relay.allAsked()).isEmpty();

    HttpResponse<String> declared = send(bare("/v1/status"));
    assertThat(declared.statusCode()).isEqualTo(200);
    JsonNode declaration = MAPPER.readTree(declared.body());
    assertThat(declaration.path("harpVersion").asText()).isEqualTo("0.2");
    assertThat(declaration.path("algorithms")).isNotEmpty();
    assertThat(declaration.path("transport")).isNotEmpty();
    assertThat(declaration.path("mTLS").isBoolean()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "true, ok, 200",
    "false, starting, 503",
    "false, draining, 503",
    "false, storage_failed, 503"
  })
  void theHealthIsThatOfTheServerAndOpen(boolean ok, String status, int expected) throws Exception {
    relay.health(ok, status);

    HttpResponse<String> response = send(bare("/health"));

    assertThat(response.statusCode()).isEqualTo(expected);
    assertThat(response.headers().firstValue("cache-control")).contains("no-store");
    JsonNode health = MAPPER.readTree(response.body());
    assertThat(health.path("ok").asBoolean()).isEqualTo(ok);
    assertThat(health.path("status").asText()).isEqualTo(status);
    // What it speaks is the same in each state.
    assertThat(send(bare("/v1/status")).statusCode()).isEqualTo(200);
  }

  @Test
  void anEnvelopeThatIsTooLargeIsNotRead() throws Exception {
    HttpResponse<String> response =
        send("POST", "/v1/artifacts", "x".repeat(GatewayEnvelope.MAX_BYTES + 1));

    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(error(response).at("/details/reason").asText()).isEqualTo("payload_too_large");
    assertThat(relay.allAsked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"reason\":\"done otherwise\"}",
        "{\"msgType\":\"exchange.withdraw\",\"requestId\":\"r\","
            + "\"createdAt\":\"2026-11-25T10:00:00Z\",\"sender\":{\"enforcerId\":\"e\"},"
            + "\"body\":{\"reason\":\"done otherwise\"}}"
      })
  void aWithdrawalMaySayWhy(String body) throws Exception {
    relay.answer("{}");

    assertThat(send("POST", "/v1/exchanges/r/withdraw", body).statusCode()).isEqualTo(200);

    assertThat(relay.asked())
        .isEqualTo(
            WithdrawRequest.newBuilder().setRequestId("r").setReason("done otherwise").build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no JSON",
        "{\"reason\":1}",
        "{\"why\":\"so\"}",
        "{\"msgType\":\"exchange.withdraw\",\"requestId\":\"other\","
            + "\"createdAt\":\"2026-11-25T10:00:00Z\",\"sender\":{},\"body\":{}}"
      })
  void aWithdrawalThatSaysSomethingElseIsRefused(String body) throws Exception {
    HttpResponse<String> response = send("POST", "/v1/exchanges/r/withdraw", body);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(error(response).path("code").asText()).isEqualTo("HARP_ERR_TRANSPORT");
    assertThat(relay.allAsked()).isEmpty();
  }

  @Test
  void harpIsNotSpokenInPlaintextBeyondThisMachine() {
    assertThatThrownBy(
            () ->
                HarpGatewayOptions.defaults()
                    .withListener(ListenerOptions.defaults().withAddress("0.0.0.0", 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("plaintext");
  }
}
