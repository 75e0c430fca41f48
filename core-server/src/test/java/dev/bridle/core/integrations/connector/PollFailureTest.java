package dev.bridle.core.integrations.connector;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.integrations.connector.SamplePolls.items;
import static dev.bridle.core.integrations.connector.SamplePolls.list;
import static dev.bridle.core.integrations.connector.SamplePolls.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.GetConnectorRequest;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.server.CoreOver;
import dev.bridle.event.v1.Event;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Polls that fail are reported, and made again later. */
class PollFailureTest extends PolledConnectors {
  @Test
  void aTenantWhosePollsHangKeepsNoOtherTenantWaiting() {
    server.answer(
        (request, out) -> {
          if (request.head().startsWith("GET /fast")) {
            OddServer.write(out, SamplePolls.ok(items()));
          } else {
            OddServer.hanging().answer(request, out);
          }
        });
    for (int i = 0; i < 20; i++) {
      made(list(url()));
    }

    var unused =
        ConnectorServiceGrpc.newBlockingStub(core.as(keyOf("other")))
            .createConnector(
                SamplePolls.described(list("http://127.0.0.1:" + server.port() + "/fast")).build());

    await()
        .until(
            () ->
                server.received().stream()
                    .anyMatch(request -> request.head().startsWith("GET /fast")));
  }

  private static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of("refused", OddServer.status(500), "The answer was 500."),
        Arguments.of(
            "redirected",
            (OddServer.Answerer)
                (request, out) ->
                    OddServer.write(
                        out,
                        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/secret\r\n"
                            + "Content-Length: 0\r\n\r\n"),
            "redirects are not followed"),
        Arguments.of(
            "broken_answer",
            (OddServer.Answerer)
                (request, out) ->
                    OddServer.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n["),
            "before the response was complete"),
        Arguments.of("too_large", with("[" + " ".repeat(PollRunner.MOST_BYTES) + "]"), "more than"),
        Arguments.of("not_json", with("<html>"), "not JSON"),
        Arguments.of("no_items", with("{}"), "no list"),
        Arguments.of("encoded", with("x", "Content-Encoding: gzip"), "compressed"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("failures")
  void aPollThatFailsIsToldAndMadeAgain(String code, OddServer.Answerer answer, String message) {
    server.answer(answer);
    Connector connector = made(list(url() + "?token=hidden"));

    await().until(() -> get(connector).getPolls().getFailures() == 1);

    var polls = get(connector).getPolls();
    assertThat(polls.getLastError().getCode()).isEqualTo(code);
    assertThat(polls.getLastError().getMessage()).contains(message);
    assertThat(polls.getLastPollAt().getSeconds()).isEqualTo(clock.instant().getEpochSecond());
    long wait = polls.getNextPollAt().getSeconds() - clock.instant().getEpochSecond();
    assertThat(wait).isBetween(14L, 30L);
    Event told = events(connector).get(1);
    assertThat(told.getEvent()).isEqualTo("connector.failed");
    assertThat(told.getPayload().toStringUtf8()).contains("\"code\":\"" + code + "\"");
    assertThat(events(connector).toString()).doesNotContain("hidden").doesNotContain("/secret");

    server.answer(with(items()));
    clock.pass(MINUTE);
    await().until(() -> get(connector).getPolls().getFailures() == 0);
    assertThat(get(connector).getPolls().hasLastError()).isFalse();
  }

  @Test
  void aPollWithoutAnAnswerIsToldOnceItsTimeIsUp() {
    core.close();
    core = CoreOver.start(store, clock, PolledConnectors::quick);
    server.answer(OddServer.hanging());
    Connector connector = made(list(url()));

    await().until(() -> get(connector).getPolls().getFailures() == 1);

    var error = get(connector).getPolls().getLastError();
    assertThat(error.getCode()).isEqualTo("timed_out");
    assertThat(error.getMessage()).contains("no response in time");
  }

  @Test
  void oneThatKeepsFailingIsPolledEverMoreRarelyButAlways() {
    server.answer(OddServer.status(500));
    Connector connector = made(list(url()));

    for (int failures = 1; failures <= 12; failures++) {
      int now = failures;
      await().until(() -> get(connector).getPolls().getFailures() == now);
      Instant next = next(connector);
      long most = Math.min(3600, 30L << (failures - 1));
      assertThat(Duration.between(clock.instant(), next).toSeconds()).isBetween(most / 2 - 1, most);
      clock.set(next);
    }
  }

  @Test
  void anotherServersWishToWaitIsKeptToWithinAnHour() {
    server.answer(
        (request, out) ->
            OddServer.write(
                out,
                "HTTP/1.1 429 Slow\r\nRetry-After: "
                    + (server.received().size() == 1 ? "600" : "999999")
                    + "\r\nContent-Length: 0\r\n\r\n"));
    Connector connector = made(list(url()));

    await().until(() -> get(connector).getPolls().getFailures() == 1);
    assertThat(next(connector)).isEqualTo(clock.instant().plusSeconds(600));
    clock.set(next(connector));
    await().until(() -> get(connector).getPolls().getFailures() == 2);
    assertThat(next(connector)).isEqualTo(clock.instant().plusSeconds(3600));
  }

  @Test
  void aNameThatLeadsIntoTheServersSurroundingsIsNotCalled() throws IOException {
    try (CoreOver strict =
        CoreOver.start(
            store,
            clock,
            options ->
                options.withOutbound(
                    OutboundOptions.DEFAULT.withAllowed(
                        List.of(AddressRange.parse("10.0.0.0/8")))))) {
      core.close();
      var stub = ConnectorServiceGrpc.newBlockingStub(strict.of("default"));
      assertRefused(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          "polling.url",
          () -> stub.createConnector(SamplePolls.described(list(url())).build()));
      Connector connector =
          stub.createConnector(
              SamplePolls.described(list("http://localhost:" + server.port() + "/")).build());
      GetConnectorRequest asked =
          GetConnectorRequest.newBuilder().setConnectorId(connector.getId()).build();

      await().until(() -> stub.getConnector(asked).getPolls().getFailures() == 1);

      assertThat(stub.getConnector(asked).getPolls().getLastError().getCode())
          .isEqualTo("refused_address");
      assertThat(server.received()).isEmpty();
    }
  }

  private String keyOf(String tenant) {
    return AdminServiceGrpc.newBlockingStub(core.operator())
        .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId(tenant).build())
        .getSecret();
  }
}
