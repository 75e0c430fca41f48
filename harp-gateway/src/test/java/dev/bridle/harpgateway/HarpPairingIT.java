package dev.bridle.harpgateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.fixtures.client.Json;
import dev.bridle.gateway.kit.call.AccessLog;
import dev.bridle.relay.v1.CompleteRequest;
import dev.bridle.relay.v1.ConfirmRequest;
import dev.bridle.relay.v1.GetPairingRequest;
import dev.bridle.relay.v1.InitiateRequest;
import dev.bridle.relay.v1.ListDevicesOfEnforcerRequest;
import dev.bridle.relay.v1.ResolveRequest;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Pairing over HTTP, before a core that is made up. */
final class HarpPairingIT {
  private static final String OFFER =
      "{\"enforcerId\":\"ci\",\"enforcerLabel\":\"CI\",\"workspaceName\":\"shop\","
          + "\"publicKey\":\"key-e\"}";
  private static final String DEVICE_MEMBERS =
      "\"approverId\":\"phone\",\"deviceId\":\"d1\",\"publicKey\":\"key-a\","
          + "\"signingKey\":\"key-s\",\"signerKeyId\":\"kid\",\"approverNonce\":\"fresh\","
          + "\"mac\":\"mac\",\"possession\":\"proof\",\"capabilities\":{\"dev.bridle\":{\"v\":1}}";
  private static final String DEVICE = "{\"nonce\":\"nonce-1\"," + DEVICE_MEMBERS + "}";

  private HarpFixture fixture;

  @BeforeEach
  void start() {
    fixture = new HarpFixture();
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private HttpResponse<String> post(HttpRequest.Builder request, String body) throws Exception {
    return fixture.send(request.POST(BodyPublishers.ofString(body)), BodyHandlers.ofString());
  }

  private HttpResponse<String> open(String path) throws Exception {
    return fixture.send(fixture.bare(path), BodyHandlers.ofString());
  }

  @Test
  void anEnforcerInitiatesWithItsCredentials() throws Exception {
    HttpResponse<String> response = post(fixture.request("/v1/pairing/initiate"), OFFER);

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).contains("application/json");
    assertThat(response.headers().firstValue("cache-control")).contains("no-store");
    assertThat(response.body())
        .isEqualTo(
            "{\"code\":\"ABCD1234\",\"nonce\":\"nonce-1\","
                + "\"expiresAt\":\"2023-11-14T22:13:20Z\"}");
    assertThat(fixture.relay.pairing().allAsked())
        .containsExactly(InitiateRequest.newBuilder().setOffer(FakePairing.OFFER).build());

    assertThat(post(fixture.bare("/v1/pairing/initiate"), OFFER).statusCode()).isEqualTo(401);
    assertThat(fixture.relay.pairing().allAsked()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"abcd-1234, true", "ABCD1234, true", "q83vEjRWeJCrze8SNFZ4kA, false"})
  void aNewDeviceResolvesACodeOrANonceWithoutCredentials(String given, boolean code)
      throws Exception {
    HttpResponse<String> response = open("/v1/pairing/resolve/" + given);

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.body())
        .isEqualTo(
            "{\"nonce\":\"nonce-1\",\"enforcerId\":\"ci\",\"enforcerLabel\":\"CI\","
                + "\"workspaceName\":\"shop\",\"publicKey\":\"key-e\","
                + "\"expiresAt\":\"2023-11-14T22:13:20Z\"}");
    assertThat(fixture.relay.pairing().allAsked())
        .containsExactly(
            code
                ? ResolveRequest.newBuilder().setCode(given).build()
                : ResolveRequest.newBuilder().setNonce(given).build());
  }

  @Test
  void aNewDeviceCompletesWithoutCredentialsAndGetsThem() throws Exception {
    HttpResponse<String> response = post(fixture.bare("/v1/pairing/complete"), DEVICE);

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.body())
        .isEqualTo(
            "{\"routingToken\":\"rt_1\",\"deviceToken\":\"token-1\",\"enforcerId\":\"ci\","
                + "\"enforcerLabel\":\"CI\",\"workspaceName\":\"shop\",\"publicKey\":\"key-e\"}");
    assertThat(fixture.relay.pairing().allAsked())
        .containsExactly(
            CompleteRequest.newBuilder().setNonce("nonce-1").setDevice(FakePairing.DEVICE).build());
  }

  @Test
  void aDeviceWithCredentialsCompletesWithThoseAndGetsNoOthers() throws Exception {
    HttpResponse<String> response = post(fixture.request("/v1/pairing/complete"), DEVICE);

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.body())
        .startsWith("{\"routingToken\":\"rt_2\",\"enforcerId\"")
        .doesNotContain("deviceToken");
    assertThat(
            post(fixture.bare("/v1/pairing/complete").header("Authorization", "Basic eA=="), DEVICE)
                .statusCode())
        .isEqualTo(401);
  }

  @Test
  void anEnforcerSeesWhoHasCompleted() throws Exception {
    String path = "/v1/pairing/nonce-1/status";
    assertThat(fixture.send(fixture.request(path), BodyHandlers.ofString()).body())
        .isEqualTo(
            "{\"nonce\":\"nonce-1\",\"status\":\"pending\","
                + "\"expiresAt\":\"2023-11-14T22:13:20Z\"}");

    fixture.relay.pairing().complete();

    assertThat(fixture.send(fixture.request(path), BodyHandlers.ofString()).body())
        .isEqualTo(
            "{\"nonce\":\"nonce-1\",\"status\":\"completed\","
                + "\"expiresAt\":\"2023-11-14T22:13:20Z\",\"routingToken\":\"rt_1\","
                + DEVICE_MEMBERS
                + ",\"confirmation\":\"proof-e\"}");
    assertThat(fixture.relay.pairing().allAsked())
        .contains(GetPairingRequest.newBuilder().setNonce("nonce-1").build());
    assertThat(open(path).statusCode()).isEqualTo(401);
  }

  @Test
  void anEnforcerConfirmsWithItsProof() throws Exception {
    HttpResponse<String> response =
        post(fixture.request("/v1/pairing/nonce-1/confirm"), "{\"mac\":\"proof-e\"}");

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"status\":\"confirmed\"}");
    assertThat(fixture.relay.pairing().allAsked())
        .containsExactly(ConfirmRequest.newBuilder().setNonce("nonce-1").setMac("proof-e").build());
    assertThat(post(fixture.bare("/v1/pairing/nonce-1/confirm"), "{}").statusCode()).isEqualTo(401);
  }

  @Test
  void anEnforcerListsItsDevices() throws Exception {
    String path = "/v1/enforcers/ci/devices";
    HttpResponse<String> response =
        fixture.send(fixture.request(path + "?limit=2&cursor=c1"), BodyHandlers.ofString());

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    String device =
        "{\"enforcerId\":\"ci\",\"approverId\":\"phone\",\"deviceId\":\"d1\","
            + "\"signingKey\":\"key-s\",\"pairedAt\":\"2023-11-14T22:13:20Z\"";
    assertThat(response.body())
        .isEqualTo(
            "{\"items\":["
                + device
                + "},"
                + device
                + ",\"revokedAt\":\"2023-11-14T22:13:20Z\"}],\"nextCursor\":\"c2\"}");
    assertThat(fixture.relay.pairing().allAsked())
        .containsExactly(
            ListDevicesOfEnforcerRequest.newBuilder()
                .setEnforcerId("ci")
                .setLimit(2)
                .setCursor("c1")
                .build());
    assertThat(open(path).statusCode()).isEqualTo(401);
    assertThat(fixture.send(fixture.request(path + "?all=1"), BodyHandlers.ofString()).statusCode())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no JSON",
        "[]",
        "{\"approverId\":\"phone\"}",
        "{\"nonce\":1,\"approverId\":\"phone\"}",
        "{\"nonce\":\"n\",\"approverId\":\"phone\",\"capabilities\":[]}",
        "{\"nonce\":\"n\",\"approverId\":\"phone\",\"mac\":null}",
        "{\"nonce\":\"n\",\"approverId\":\"phone\",\"deviceName\":\"unknown\"}"
      })
  void aDocumentOfAnotherShapeIsRefused(String body) throws Exception {
    HttpResponse<String> response = post(fixture.bare("/v1/pairing/complete"), body);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(Json.parse(response.body()).path("msgType").asText()).isEqualTo("error");
    assertThat(fixture.relay.pairing().allAsked()).isEmpty();
  }

  @Test
  void anUnknownMemberIsRefusedByName() throws Exception {
    HttpResponse<String> response =
        post(
            fixture.bare("/v1/pairing/complete"),
            "{\"nonce\":\"n\",\"approverId\":\"phone\",\"deviceName\":\"unknown\"}");

    assertThat(Json.parse(response.body()).path("body").path("message").asText())
        .contains("\"deviceName\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/pairing/complete", "/v1/pairing/initiate"})
  void aDocumentThatIsTooLargeIsNotRead(String path) throws Exception {
    HttpResponse<String> response = post(fixture.request(path), "x".repeat((64 << 10) + 1));

    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(fixture.relay.pairing().allAsked()).isEmpty();
  }

  @Test
  void aSecondCompletionIsAConflict() throws Exception {
    fixture
        .relay
        .pairing()
        .refuse(
            ErrorDetail.newBuilder()
                .setCode(ErrorCode.ERROR_CODE_CONFLICT)
                .setMessage("The pairing was completed before.")
                .build());

    assertThat(post(fixture.bare("/v1/pairing/complete"), DEVICE).statusCode()).isEqualTo(409);
  }

  @Test
  void codesAndNoncesAreNotLogged() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(AccessLog.class);
    Level before = logger.getLevel();
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.list = new CopyOnWriteArrayList<>();
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.DEBUG);
    try {
      open("/v1/pairing/resolve/ABCD1234");
      open("/v1/pairing/nonce-1/status");

      await().until(() -> lines.list.size() >= 2);
      assertThat(lines.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .noneMatch(line -> line.contains("ABCD1234") || line.contains("nonce-1"))
          .anyMatch(line -> line.contains("/v1/pairing/resolve/{code}"));
    } finally {
      logger.setLevel(before);
      logger.detachAppender(lines);
    }
  }

  @Test
  void whoTriesManyCodesHasToWait() throws Exception {
    HttpResponse<String> response = open("/v1/pairing/resolve/ABCD1234");
    int tried = 1;
    while (response.statusCode() == 200 && tried < 1000) {
      response = open("/v1/pairing/resolve/ABCD1234");
      tried++;
    }

    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(tried).isGreaterThan(20);
    assertThat(response.headers().firstValue("retry-after")).contains("2");
    assertThat(Json.parse(response.body()).at("/body/details/reason").asText())
        .isEqualTo("rate_limited");
    assertThat(fixture.relay.pairing().allAsked()).hasSize(tried - 1);
  }
}
