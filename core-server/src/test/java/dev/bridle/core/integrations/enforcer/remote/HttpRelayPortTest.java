package dev.bridle.core.integrations.enforcer.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.enforcer.RelayRefusal;
import dev.bridle.core.integrations.enforcer.RelayRefusal.Outlook;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.harp.error.HarpErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a relay elsewhere is sent, and what becomes of its answers. */
final class HttpRelayPortTest {
  private static final ByteString ENVELOPE = ByteString.copyFromUtf8("{\"msgType\":\"x\"}");

  @TempDir private Path directory;
  private OddServer server;
  private OutboundClient client;
  private HttpRelayPort port;

  @BeforeEach
  void start() throws IOException {
    server = OddServer.answering(OddServer.status(204));
    client =
        new OutboundClient(
            OutboundOptions.DEFAULT
                .withAllowed(List.of(AddressRange.parse("127.0.0.0/8")))
                .withMaxCalls(2 * HttpRelayPort.MAX_LONG_POLLS));
    Files.writeString(secret(), "the-first-secret\n");
    port = new HttpRelayPort(target(), client, Clock.systemUTC());
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private Path secret() {
    return directory.resolve("relay.token");
  }

  private RelayTarget target() {
    return new RelayTarget(
        "home",
        RelayTarget.url("http://127.0.0.1:" + server.port() + "/harp/"),
        "gate",
        () -> Files.readString(secret()).strip(),
        Optional.empty(),
        Set.of("default"));
  }

  private void answers(int status, String body) {
    server.answer(
        (request, out) ->
            OddServer.write(
                out,
                String.format(
                    Locale.ROOT,
                    "HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s",
                    status,
                    body.length(),
                    body)));
  }

  private static String error(String code, String reason) {
    return """
        {"msgType":"error","requestId":"-","createdAt":"2026-01-01T00:00:00Z","sender":{},"body":
        {"code":"%s","message":"the-first-secret","details":{"reason":"%s"}}}
        """
        .formatted(code, reason);
  }

  private RelayRefusal refusal() {
    return catchThrowableOfType(RelayRefusal.class, () -> port.submit("default", ENVELOPE));
  }

  @Test
  void aRequestIsPostedBelowTheBaseUrlWithTheCredentialThatTheFileHasThen() throws IOException {
    answers(202, "{}");
    port.submit("default", ENVELOPE);
    Files.writeString(secret(), "the-second-secret");
    port.submit("default", ENVELOPE);

    assertThat(server.received())
        .extracting(request -> request.header("authorization"))
        .containsExactly("Bearer the-first-secret", "Bearer the-second-secret");
    OddServer.Received first = server.received().get(0);
    assertThat(first.head()).startsWith("POST /harp/v1/artifacts HTTP/1.1\r\n");
    assertThat(first.header("content-type")).isEqualTo("application/harp+json");
    assertThat(first.body()).isEqualTo(ENVELOPE.toStringUtf8());
  }

  @Test
  void aRequestThatTheRelayHasAlreadyIsSubmitted() {
    answers(409, error("AlreadyExistsConflict", "exists"));

    port.submit("default", ENVELOPE);

    assertThat(server.received()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "401, HARP_ERR_TRANSPORT, unauthenticated, TRANSPORT, REPAIRABLE",
    "403, HARP_ERR_TRANSPORT, forbidden, TRANSPORT, REPAIRABLE",
    "404, HARP_ERR_TRANSPORT, not_found, TRANSPORT, REPAIRABLE",
    "422, HARP_ERR_POLICY_DENY, no_approver, POLICY_DENY, REPAIRABLE",
    "422, HARP_ERR_EXPIRED, expired, EXPIRED, FINAL",
    "422, HARP_ERR_HASH_MISMATCH, hash, HASH_MISMATCH, FINAL",
    "400, HARP_ERR_TRANSPORT, schema, TRANSPORT, FINAL",
    "413, HARP_ERR_TRANSPORT, too_large, TRANSPORT, FINAL",
    "429, HARP_ERR_TRANSPORT, too_many_submissions, TRANSPORT, PASSING",
    "503, HARP_ERR_TRANSPORT, unavailable, TRANSPORT, PASSING",
    "422, SOMETHING_ELSE, other, TRANSPORT, REPAIRABLE"
  })
  void aRefusalHasHarpsCodeAndTheReasonInOneWord(
      int status, String code, String reason, HarpErrorCode known, Outlook outlook) {
    answers(status, error(code, reason));

    RelayRefusal refusal = refusal();

    assertThat(refusal.code()).isEqualTo(known);
    assertThat(refusal.outlook()).isEqualTo(outlook);
    assertThat(refusal)
        .hasMessage("The relay 'home' has answered with status " + status + ", " + reason + ".");
  }

  @ParameterizedTest
  @ValueSource(strings = {"the-first-secret <b>", "Spelled Badly", ""})
  void nothingThatARelayWordsFreelyIsPassedOn(String reason) {
    answers(403, error("HARP_ERR_TRANSPORT", reason));

    assertThat(refusal()).hasMessage("The relay 'home' has answered with status 403.");
  }

  @Test
  void whatDoesNotSpeakHarpMayBePutRight() {
    answers(400, "<html>");

    assertThat(refusal().outlook()).isEqualTo(Outlook.REPAIRABLE);
  }

  @Test
  void aRedirectIsNotFollowed() throws IOException {
    try (OddServer other = OddServer.answering(OddServer.status(202))) {
      server.answer(
          (request, out) ->
              OddServer.write(
                  out,
                  String.format(
                      Locale.ROOT,
                      "HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n",
                      other.port())));

      assertThat(refusal().outlook()).isEqualTo(Outlook.REPAIRABLE);
      assertThat(other.received()).isEmpty();
    }
  }

  @Test
  void aRelayThatCantBeReachedMayBeThereLater() throws IOException {
    server.close();

    assertThat(refusal().outlook()).isEqualTo(Outlook.PASSING);
    assertThat(refusal()).hasMessage("The call of the relay 'home' could not connect.");
  }

  @Test
  void aDecisionIsWaitedForAndReturnedAsItIs() {
    answers(200, "{ \"any\" : \"thing\" }");

    assertThat(port.decision("default", "harp_1").join())
        .contains(ByteString.copyFromUtf8("{ \"any\" : \"thing\" }"));
    assertThat(server.received().get(0).head())
        .startsWith("GET /harp/v1/exchanges/harp_1/wait?timeout=15 HTTP/1.1\r\n");
  }

  @Test
  void noDecisionIsNone() {
    assertThat(port.decision("default", "harp_1").join()).isEmpty();
  }

  @Test
  void aDecisionThatIsTooLargeIsRefused() {
    answers(200, "x".repeat(HttpRelayPort.MAX_DECISION_BYTES + 1));

    assertThatThrownBy(() -> port.decision("default", "harp_1").join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(RelayRefusal.class)
        .hasMessageContaining("more than 98304 bytes");
  }

  @Test
  void noMoreThanACertainNumberOfCallsWaitLong() {
    server.answer(OddServer.hanging());
    for (int i = 0; i <= HttpRelayPort.MAX_LONG_POLLS; i++) {
      var unused = port.decision("default", "harp_" + i);
    }

    await()
        .untilAsserted(
            () ->
                assertThat(server.received())
                    .filteredOn(request -> request.head().contains("timeout=1 "))
                    .hasSize(1));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 404, 409})
  void aWithdrawalOfWhatIsNotThereIsDone(int status) {
    answers(status, "{}");

    port.withdraw("default", "harp_1", "It was answered by \"ada\".", ByteString.EMPTY);

    OddServer.Received request = server.received().get(0);
    assertThat(request.head()).startsWith("POST /harp/v1/exchanges/harp_1/withdraw HTTP/1.1\r\n");
    assertThat(request.body()).isEqualTo("{\"reason\":\"It was answered by \\\"ada\\\".\"}");
  }

  @Test
  void aWithdrawalThatIsRefusedFails() {
    answers(401, "{}");

    assertThatThrownBy(() -> port.withdraw("default", "harp_1", "done", ByteString.EMPTY))
        .isInstanceOf(RelayRefusal.class);
  }

  @Test
  void anAcknowledgmentNamesTheMessageAndTheEnforcer() {
    answers(200, "{}");
    String delivered =
        """
        {"msgType":"decision.deliver","msgId":"m-7","requestId":"harp_1",
        "createdAt":"2026-01-01T00:00:00Z","sender":{"gatewayId":"g"},"body":{}}
        """;

    port.acknowledge("default", "harp_1", ByteString.copyFromUtf8(delivered));

    OddServer.Received request = server.received().get(0);
    assertThat(request.head()).startsWith("POST /harp/v1/acks HTTP/1.1\r\n");
    assertThat(request.body())
        .contains("\"sender\":{\"enforcerId\":\"gate\"}")
        .contains("\"body\":{\"msgId\":\"m-7\",\"status\":\"processed\"");
  }

  @Test
  void whatHasNoMessageIdIsNotAcknowledged() {
    port.acknowledge("default", "harp_1", ByteString.copyFromUtf8("anything"));

    assertThat(server.received()).isEmpty();
  }

  @Test
  void aCredentialThatCantBeSentIsNotShown() throws IOException {
    Files.writeString(secret(), "two words");
    assertThat(refusal())
        .hasMessage("The relay 'home' can't be called: its credential is malformed.");
    Files.delete(secret());
    assertThat(refusal())
        .hasMessage("The relay 'home' can't be called: its credential can't be read.");

    assertThat(server.received()).isEmpty();
    assertThat(target().toString()).isEqualTo("RelayTarget[home, " + target().url() + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://relay.example",
        "http://10.0.0.1:8085",
        "https://user@relay.example",
        "https://relay.example?a=b",
        "ftp://relay.example",
        "relay.example"
      })
  void aUrlThatIsNotSafeIsRefused(String url) {
    assertThatThrownBy(
            () ->
                new RelayTarget(
                    "home",
                    RelayTarget.url(url),
                    "gate",
                    () -> "secret",
                    Optional.empty(),
                    Set.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
