package dev.bridle.core.integrations.connector;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.integrations.connector.SamplePolls.items;
import static dev.bridle.core.integrations.connector.SamplePolls.list;
import static dev.bridle.core.integrations.connector.SamplePolls.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.FieldMask;
import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorAuth;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.ConnectorServiceGrpc.ConnectorServiceBlockingStub;
import dev.bridle.connector.v1.ConnectorWebhook;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.CursorFrom;
import dev.bridle.connector.v1.DeleteConnectorRequest;
import dev.bridle.connector.v1.GetConnectorRequest;
import dev.bridle.connector.v1.InitialItems;
import dev.bridle.connector.v1.PauseConnectorRequest;
import dev.bridle.connector.v1.PollConnectorRequest;
import dev.bridle.connector.v1.PollingCursor;
import dev.bridle.connector.v1.PollingFormat;
import dev.bridle.connector.v1.RenewConnectorIngressRequest;
import dev.bridle.connector.v1.ResumeConnectorRequest;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.connector.v1.UpdateConnectorRequest;
import dev.bridle.connector.v1.WebhookSignature;
import dev.bridle.core.integrations.schedule.SetClock;
import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreOver;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PollTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path directory;
  private final SetClock clock = new SetClock("2026-06-01T08:00:00Z");
  private KeyValueStore store;
  private CoreOver core;
  private OddServer server;

  @BeforeEach
  void start() throws IOException {
    store = SuiteStore.open(directory);
    core = CoreOver.start(store, clock, PollTest::local);
    server = OddServer.answering(with(items()));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    core.close();
    try {
      assertThat(
              new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG)
                  .check(CheckProgress.SILENT)
                  .findings())
          .isEmpty();
    } finally {
      store.close();
    }
  }

  private static CoreOptions local(CoreOptions options) {
    return options.withOutbound(
        OutboundOptions.DEFAULT
            .withAllowed(List.of(AddressRange.parse("127.0.0.1")))
            .withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(2)));
  }

  @Test
  void whatIsNewInAListBecomesATaskOnceAndWhatWasThereDoesNot() {
    server.answer(with(items("old")));
    Connector connector = made(list(url()));
    polled(connector, 1);
    server.answer(with(items("new", "old")));

    for (int polls = 2; polls <= 4; polls++) {
      clock.pass(MINUTE);
      polled(connector, polls);
    }

    await().untilAsserted(() -> assertThat(texts()).containsExactly("Read new"));
    assertThat(tasks().get(0).getCreatedBy()).isEqualTo(connector.getId());
    assertThat(tasks().get(0).getMetadata().toStringUtf8()).contains("\"event_kind\":\"item\"");
    assertThat(kinds(connector))
        .containsExactly(
            "vendor.bridle.connector_created",
            "connector.delivery_received",
            "connector.normalized",
            "connector.task_submitted");
    assertThat(connector.hasWebhook()).as("it has no path for deliveries").isFalse();
    assertThat(get(connector).getPolls().getFailures()).isZero();
  }

  @Test
  void whatWasThereComesInWhereThatIsAskedFor() {
    server.answer(with(items(1, 2, 3)));
    Connector connector = made(list(url()).setInitial(InitialItems.INITIAL_ITEMS_ALL));

    await()
        .untilAsserted(
            () -> assertThat(texts()).containsExactlyInAnyOrder("Read 1", "Read 2", "Read 3"));
    polled(connector, 1);
  }

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

  @Test
  void entriesOfAFeedBecomeTasks() {
    server.answer(with("<rss><channel/></rss>"));
    CreateConnectorRequest.Builder described =
        SamplePolls.described(
            ConnectorPolling.newBuilder()
                .setUrl(url())
                .setIntervalSeconds(60)
                .setFormat(PollingFormat.POLLING_FORMAT_FEED));
    described.getMappingBuilder().setText("{/title} by {/author?}");
    Connector connector = connectors().createConnector(described.build());
    polled(connector, 1);
    server.answer(
        with(
            "<rss><channel><item><guid>1</guid><title>Fish</title><author>Ada</author></item>"
                + "</channel></rss>"));

    clock.pass(MINUTE);

    await().untilAsserted(() -> assertThat(texts()).containsExactly("Fish by Ada"));
  }

  @Test
  void anAnswerThatDidNotChangeIsNotSentAgain() {
    server.answer(
        (request, out) ->
            OddServer.write(
                out,
                request.header("if-none-match").equals("\"a\"")
                    ? "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"
                    : SamplePolls.ok(items(1), "ETag: \"a\"", "Last-Modified: yesterday")));
    Connector connector = made(list(url()));
    polled(connector, 1);

    for (int polls = 2; polls <= 3; polls++) {
      clock.pass(MINUTE);
      polled(connector, polls);
    }

    assertThat(server.received().get(0).header("if-none-match")).isEmpty();
    assertThat(server.received().subList(1, 3))
        .allMatch(request -> request.header("if-none-match").equals("\"a\""))
        .allMatch(request -> request.header("if-modified-since").equals("yesterday"));
    assertThat(get(connector).getPolls().getFailures()).isZero();
  }

  @Test
  void anItemThatIsStillListedIsNoNewsHoweverLongItStoodThere() {
    server.answer(with(items("old"), "ETag: \"a\""));
    Connector connector = made(list(url()).setInitial(InitialItems.INITIAL_ITEMS_ALL));
    polled(connector, 1);
    await().untilAsserted(() -> assertThat(texts()).hasSize(1));
    server.answer((request, out) -> OddServer.write(out, "HTTP/1.1 304 Not Modified\r\n\r\n"));
    clock.pass(Duration.ofDays(100));
    polled(connector, 2);
    server.answer(with(items("new", "old")));

    clock.pass(MINUTE);
    polled(connector, 3);

    await().untilAsserted(() -> assertThat(texts()).contains("Read new").hasSize(2));
  }

  @Test
  void aCursorLeadsFromPageToPageAndFromPollToPoll() {
    server.answer(
        (request, out) -> {
          String after = after(request);
          String page =
              switch (after) {
                case "" -> "{\"items\":[{\"id\":1},{\"id\":2}],\"next\":\"b\"}";
                case "b" -> "{\"items\":[{\"id\":3}],\"next\":\"c\"}";
                default -> "{\"items\":[],\"next\":\"c\"}";
              };
          OddServer.write(out, SamplePolls.ok(page, "ETag: \"" + after + "\""));
        });
    Connector connector =
        made(
            list(url() + "?limit=2")
                .setInitial(InitialItems.INITIAL_ITEMS_ALL)
                .setCursor(PollingCursor.newBuilder().setPointer("/next").setParameter("after")));
    await().until(() -> get(connector).getPolls().hasLastPollAt());

    clock.pass(MINUTE);

    await().until(() -> server.received().size() == 4);
    assertThat(server.received().stream().map(PollTest::after)).containsExactly("", "b", "c", "c");
    assertThat(server.received().get(3).header("if-none-match")).isEqualTo("\"c\"");
    await()
        .untilAsserted(
            () -> assertThat(texts()).containsExactlyInAnyOrder("Read 1", "Read 2", "Read 3"));
  }

  @Test
  void aPollAsksForSoManyPagesAndGoesOnFromThereTheNextTime() {
    server.answer(
        (request, out) -> {
          String after = after(request);
          int page = after.isEmpty() ? 0 : Integer.parseInt(after);
          OddServer.write(out, SamplePolls.ok("{\"items\":[{\"id\":" + (page + 1) + "}]}"));
        });
    Connector connector =
        made(
            list(url())
                .setCursor(
                    PollingCursor.newBuilder()
                        .setFrom(CursorFrom.CURSOR_FROM_LAST_ITEM)
                        .setPointer("/id")
                        .setParameter("after")));
    await().until(() -> get(connector).getPolls().hasLastPollAt());
    assertThat(server.received()).hasSize(PollResults.MOST_PAGES);

    clock.pass(MINUTE);

    await().until(() -> server.received().size() == 2 * PollResults.MOST_PAGES);
    assertThat(after(server.received().get(PollResults.MOST_PAGES))).isEqualTo("10");
    assertThat(tasks()).as("the first poll has not come to its end").isEmpty();
  }

  @Test
  void aLongListIsStoredInPartsAndWhole() {
    server.answer(with(items(IntStream.range(0, 250).boxed().toArray())));
    Connector connector = made(list(url()).setInitial(InitialItems.INITIAL_ITEMS_ALL));
    polled(connector, 1);

    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(tasksOnTwoPages()).isEqualTo(250));
    clock.pass(MINUTE);
    polled(connector, 2);
    assertThat(kinds(connector)).doesNotContain("connector.delivery_deduped");
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
        Arguments.of("timed_out", OddServer.hanging(), "no response in time"),
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
  void aSecretIsSentInItsHeaderAndShownNowhere() {
    String vault = SampleConnectors.vault(core.of("default"));
    SecretName.Builder secret = SecretName.newBuilder().setVaultId(vault).setName("hook");
    Connector connector =
        connectors()
            .createConnector(
                SamplePolls.described(list(url()).putHeaders("X-Team", "fish"))
                    .setAuth(ConnectorAuth.newBuilder().setPrefix("Bearer ").setSecret(secret))
                    .build());
    polled(connector, 1);

    assertThat(server.received().get(0).header("authorization"))
        .isEqualTo("Bearer " + SampleConnectors.SECRET);
    assertThat(server.received().get(0).header("x-team")).isEqualTo("fish");
    assertThat(get(connector).toString() + events(connector))
        .doesNotContain(SampleConnectors.SECRET);
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

  @Test
  void aPausedConnectorDoesNotPollUntilItIsResumed() {
    Connector connector = made(list(url()));
    polled(connector, 1);
    Connector paused =
        connectors()
            .pauseConnector(
                PauseConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());
    assertThat(paused.getPolls().hasNextPollAt()).isFalse();
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> pollNow(connector));
    clock.pass(Duration.ofHours(1));
    Connector other = made(list(url()));
    await().until(() -> get(other).getPolls().hasLastPollAt());
    assertThat(server.received()).as("the other's alone").hasSize(2);

    var unused =
        connectors()
            .resumeConnector(
                ResumeConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());

    polled(connector, 3);
  }

  @Test
  void aDeletedConnectorPollsNoMore() {
    Connector connector = made(list(url()));
    polled(connector, 1);
    var unused =
        connectors()
            .deleteConnector(
                DeleteConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());
    clock.pass(Duration.ofHours(1));
    Connector other = made(list(url()));
    await().until(() -> get(other).getPolls().hasLastPollAt());

    assertThat(server.received()).as("the other's alone").hasSize(2);
  }

  @Test
  void aPollThatIsAskedForIsMadeNow() {
    Connector connector =
        made(list(url()).clearIntervalSeconds().setCron("0 7 * * *").setTimeZone("Europe/Berlin"));
    assertThat(next(connector)).isEqualTo(Instant.parse("2026-06-02T05:00:00Z"));

    var unused = pollNow(connector);

    polled(connector, 1);
    assertThat(next(connector)).isEqualTo(Instant.parse("2026-06-02T05:00:00Z"));
  }

  @Test
  void whereSomethingElseIsAskedPollsBeginAnew() {
    server.answer(with(items(1), "ETag: \"a\""));
    Connector connector = made(list(url()));
    polled(connector, 1);

    var unused =
        connectors()
            .updateConnector(
                UpdateConnectorRequest.newBuilder()
                    .setConnectorId(connector.getId())
                    .setPolling(list(url() + "/other"))
                    .setUpdateMask(FieldMask.newBuilder().addPaths("polling"))
                    .build());
    server.answer(with(items(1, 2)));

    polled(connector, 2);
    assertThat(server.received().get(1).header("if-none-match")).isEmpty();
    clock.pass(MINUTE);
    polled(connector, 3);
    assertThat(tasks()).as("what was there at the new place is no news").isEmpty();
  }

  @Test
  void aConnectorHasAPathForDeliveriesOnlyWhileItHasAWebhook() {
    Connector polls = made(list(url()));
    polled(polls, 1);
    RenewConnectorIngressRequest renewal =
        RenewConnectorIngressRequest.newBuilder().setConnectorId(polls.getId()).build();
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT, "", () -> connectors().renewConnectorIngress(renewal));
    var webhook =
        ConnectorWebhook.newBuilder().setSignature(WebhookSignature.newBuilder().setPreset("none"));
    UpdateConnectorRequest.Builder change =
        UpdateConnectorRequest.newBuilder()
            .setConnectorId(polls.getId())
            .setUpdateMask(FieldMask.newBuilder().addPaths("webhook"));

    Connector both = connectors().updateConnector(change.setWebhook(webhook).build());
    var taken =
        SampleConnectors.deliver(
            core.core().channel(),
            SampleConnectors.delivery(
                SampleConnectors.ingress(both), "{\"id\":\"hooked\"}", Map.of()));
    assertThat(taken.getDuplicate()).isFalse();
    await().untilAsserted(() -> assertThat(texts()).containsExactly("Read hooked"));

    Connector without = connectors().updateConnector(change.clearWebhook().build());
    assertThat(without.hasWebhook()).isFalse();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "webhook",
        () ->
            connectors()
                .updateConnector(
                    change.setUpdateMask(FieldMask.newBuilder().addPaths("polling")).build()));
  }

  private static Stream<Arguments> refused() {
    return Stream.of(
        refused("polling.url", polling -> polling.setUrl("https://10.0.0.1/")),
        refused("polling.url", polling -> polling.setUrl("https://user:secret@a.example/")),
        refused("polling.cron", polling -> polling.clearIntervalSeconds()),
        refused("polling.interval_seconds", polling -> polling.setCron("* * * * *")),
        refused("polling.interval_seconds", polling -> polling.setIntervalSeconds(29)),
        refused("polling.interval_seconds", polling -> polling.setIntervalSeconds(2592001)),
        refused("polling.cron", polling -> polling.clearIntervalSeconds().setCron("daily")),
        refused(
            "polling.time_zone",
            polling -> polling.clearIntervalSeconds().setCron("* * * * *").setTimeZone("Mars")),
        refused("polling.time_zone", polling -> polling.setTimeZone("UTC")),
        refused("polling.headers", polling -> polling.putHeaders("Cookie", "a=b")),
        refused("polling.headers", polling -> polling.putHeaders("Host", "a")),
        refused("polling.headers", polling -> polling.putHeaders("X", "a\r\nY: b")),
        refused("polling.items", polling -> polling.setItems("items")),
        refused("polling.item_id", polling -> polling.setItemId("id")),
        refused(
            "polling.cursor.pointer",
            polling ->
                polling.setCursor(PollingCursor.newBuilder().setPointer("next").setParameter("a"))),
        refused("polling.items", polling -> polling.setFormat(PollingFormat.POLLING_FORMAT_FEED)));
  }

  private static Arguments refused(String param, UnaryOperator<ConnectorPolling.Builder> change) {
    return Arguments.of(param, change);
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatCannotBePolledIsRefused(String param, UnaryOperator<ConnectorPolling.Builder> change) {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        param,
        () ->
            connectors().createConnector(SamplePolls.described(change.apply(list(url()))).build()));
  }

  @Test
  void eachPollIsMadeByOneOfTwoProcessesAndEachItemIsOneTask() {
    try (CoreOver two = CoreOver.start(store, clock, PollTest::local)) {
      assertThat(two.core()).isNotNull();
      Connector connector = made(list(url()).setInitial(InitialItems.INITIAL_ITEMS_ALL));
      for (int polls = 1; polls <= 20; polls++) {
        server.answer(with(items(polls, polls + 1, polls + 2)));
        if (polls > 1) {
          clock.set(next(connector));
        }
        polled(connector, polls);
      }

      await().untilAsserted(() -> assertThat(texts()).hasSizeGreaterThanOrEqualTo(21));
      assertThat(texts()).doesNotHaveDuplicates();
      assertThat(server.received()).hasSize(20);
    }
  }

  @Test
  void aPollWhoseProcessDiedIsMadeByAnotherAndItsLateAnswerChangesNothing() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    server.answer(
        (request, out) -> {
          if (server.received().size() == 1) {
            late.await();
          }
          OddServer.write(out, SamplePolls.ok(items(1, 2), "ETag: \"a\""));
        });
    Connector connector = made(list(url()).setInitial(InitialItems.INITIAL_ITEMS_ALL));
    await().until(() -> server.received().size() == 1);
    assertThat(get(connector).getPolls().hasNextPollAt()).as("it is under way").isFalse();
    try (CoreOver two = CoreOver.start(store, clock, PollTest::local)) {
      assertThat(two.core()).isNotNull();
      clock.pass(MINUTE);
      polled(connector, 2);
      late.countDown();
      clock.pass(MINUTE);
      polled(connector, 3);
    }

    await().untilAsserted(() -> assertThat(texts()).containsExactlyInAnyOrder("Read 1", "Read 2"));
    assertThat(kinds(connector)).filteredOn("connector.delivery_received"::equals).hasSize(2);
  }

  private ConnectorServiceBlockingStub connectors() {
    return ConnectorServiceGrpc.newBlockingStub(core.of("default"));
  }

  private String keyOf(String tenant) {
    return AdminServiceGrpc.newBlockingStub(core.operator())
        .createApiKey(CreateApiKeyRequest.newBuilder().setTenantId(tenant).build())
        .getSecret();
  }

  private String url() {
    return "http://127.0.0.1:" + server.port() + "/news";
  }

  private Connector made(ConnectorPolling.Builder polling) {
    return connectors().createConnector(SamplePolls.described(polling).build());
  }

  private Connector get(Connector connector) {
    return connectors()
        .getConnector(GetConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());
  }

  private Connector pollNow(Connector connector) {
    return connectors()
        .pollConnector(PollConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());
  }

  /** Waits until so many requests came in, and what came of the last one is stored. */
  private void polled(Connector connector, int requests) {
    await()
        .until(
            () ->
                server.received().size() >= requests
                    && get(connector).getPolls().hasNextPollAt()
                    && next(connector).isAfter(clock.instant()));
    assertThat(server.received()).hasSize(requests);
  }

  private Instant next(Connector connector) {
    await().until(() -> get(connector).getPolls().hasNextPollAt());
    var next = get(connector).getPolls().getNextPollAt();
    return Instant.ofEpochSecond(next.getSeconds(), next.getNanos());
  }

  private static String after(OddServer.Received request) {
    String target = request.head().split(" ", 3)[1];
    int at = target.indexOf("after=");
    return at < 0 ? "" : target.substring(at + "after=".length());
  }

  private List<Task> tasks() {
    return TaskServiceGrpc.newBlockingStub(core.of("default"))
        .listTasks(ListTasksRequest.newBuilder().setLimit(200).build())
        .getDataList();
  }

  private int tasksOnTwoPages() {
    var stub = TaskServiceGrpc.newBlockingStub(core.of("default"));
    var first = stub.listTasks(ListTasksRequest.newBuilder().setLimit(200).build());
    return first.getPage().getHasMore()
        ? 200
            + stub.listTasks(
                    ListTasksRequest.newBuilder()
                        .setLimit(200)
                        .setCursor(first.getPage().getNextCursor())
                        .build())
                .getDataCount()
        : first.getDataCount();
  }

  private List<String> texts() {
    return tasks().stream()
        .map(task -> task.getInput().getMessage().getParts(0).getText().getText())
        .toList();
  }

  private List<Event> events(Connector connector) {
    return EventServiceGrpc.newBlockingStub(core.of("default"))
        .listEvents(ListEventsRequest.newBuilder().setLimit(200).build())
        .getDataList()
        .stream()
        .filter(event -> event.getResource().getId().equals(connector.getId()))
        .toList();
  }

  private List<String> kinds(Connector connector) {
    return events(connector).stream().map(Event::getEvent).toList();
  }
}
