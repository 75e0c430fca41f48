package dev.bridle.harpgateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.fixtures.client.Json;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are sent to endpoints which take none. */
@Timeout(20) // A stream that is not refused does not end.
final class HarpBodyIT {
  private static final String EXCHANGE = "/v1/exchanges/r";

  private static HarpFixture fixture;

  @BeforeAll
  static void start() {
    fixture = new HarpFixture();
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @BeforeEach
  void forget() {
    fixture.relay.forget();
    fixture.channels().forget();
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/status",
    "GET, /health",
    "GET, /v1/approvers/a/inbox",
    "GET, /v1/approvers/a/inbox/expired",
    "GET, /v1/enforcers/e/inbox",
    "DELETE, /v1/approvers/a/inbox/r",
    "GET, /v1/exchanges/r",
    "GET, /v1/exchanges/r/wait",
    "GET, /v1/enforcers/e/keys",
    "GET, /v1/enforcers/e/devices",
    "GET, /v1/presence/enforcers?tenantId=default",
    "GET, /v1/presence/enforcers/ci",
    "POST, /v1/requests/r/refresh?enforcerDeviceId=ci",
    "GET, /v1/pairing/resolve/ABCD2345",
    "GET, /v1/pairing/nonce/status",
    "GET, /v1/session/s",
    "GET, /v1/sse/approvers/a",
    "GET, /v1/sse/enforcers/e"
  })
  void aBodyWhereNoneIsTakenIsRefusedBeforeTheCoreIsAsked(String method, String path)
      throws Exception {
    HttpResponse<String> response =
        send(method, path, BodyPublishers.ofString("{\"reason\":\"not mine\"}"));

    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(Json.parse(response.body()).at("/body/message").asText()).contains("takes no body");
    assertThat(fixture.relay.allAsked()).isEmpty();
    assertThat(fixture.channels().allAsked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "no JSON", "{\"a\":{}}", "\"\"", "0"})
  void anythingButAnEmptyObjectIsABody(String body) throws Exception {
    assertThat(send("GET", EXCHANGE, BodyPublishers.ofString(body)).statusCode()).isEqualTo(400);
  }

  @Test
  void aLongBodyIsRefusedAsOneToo() throws Exception {
    HttpResponse<String> response =
        send("GET", EXCHANGE, BodyPublishers.ofString(" ".repeat(1 << 20)));

    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(response.body()).contains("takes no body");
  }

  @Test
  void aBodyInPiecesOfUnknownLengthIsLookedAtToo() throws Exception {
    fixture.relay.answer("{}");

    assertThat(send("GET", EXCHANGE, inPieces("{\"a\":1}")).statusCode()).isEqualTo(400);
    assertThat(send("GET", EXCHANGE, inPieces("")).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", " { } ", "null"})
  void anEmptyObjectIsTakenAsNone(String body) throws Exception {
    fixture.relay.answer("{}");

    assertThat(send("GET", EXCHANGE, BodyPublishers.ofString(body)).statusCode()).isEqualTo(200);
    assertThat(fixture.relay.allAsked()).hasSize(1);
  }

  private static BodyPublisher inPieces(String body) {
    return BodyPublishers.fromPublisher(BodyPublishers.ofString(body));
  }

  private static HttpResponse<String> send(String method, String path, BodyPublisher body)
      throws Exception {
    return fixture.send(
        fixture.request(path).version(HttpClient.Version.HTTP_1_1).method(method, body),
        BodyHandlers.ofString());
  }
}
