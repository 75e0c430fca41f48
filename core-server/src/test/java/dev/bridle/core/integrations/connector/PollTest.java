package dev.bridle.core.integrations.connector;

import static dev.bridle.core.integrations.connector.SamplePolls.items;
import static dev.bridle.core.integrations.connector.SamplePolls.list;
import static dev.bridle.core.integrations.connector.SamplePolls.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorAuth;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.CursorFrom;
import dev.bridle.connector.v1.InitialItems;
import dev.bridle.connector.v1.PollingCursor;
import dev.bridle.connector.v1.PollingFormat;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.work.persona.SamplePersonas;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a poll finds becomes tasks, each item once. */
class PollTest extends PolledConnectors {
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
  void whoSetsTheSecretThatIsPolledWithCountsAsASubmitterOfItsTasks() {
    server.answer(with(items("one")));
    String vault = SampleConnectors.vault(core.of("default"));
    Connector connector =
        connectors()
            .createConnector(
                SamplePolls.described(list(url()).setInitial(InitialItems.INITIAL_ITEMS_ALL))
                    .setAuth(
                        ConnectorAuth.newBuilder()
                            .setSecret(SecretName.newBuilder().setVaultId(vault).setName("hook")))
                    .build());
    polled(connector, 1);
    await().until(() -> texts().size() == 1);
    var unused = SampleVaults.put(core.approver("default"), vault, "hook", "of another account");

    server.answer(with(items("two", "one")));
    clock.pass(MINUTE);
    await().until(() -> texts().size() == 2);

    assertThat(submitters("Read one")).containsExactly("ada");
    assertThat(submitters("Read two")).containsExactly("ada", "bob");
  }

  private List<String> submitters(String text) {
    Task task = tasks().get(texts().indexOf(text));
    TaskRecord record =
        store.read(
            tr -> new TaskStore(KeyLayout.root()).find(tr, "default", task.getId()).orElseThrow());
    return Stream.concat(
            Stream.of(record.getSubmittedBy()), record.getAlsoSubmittedByList().stream())
        .toList();
  }

  @Test
  void anItemIsHeldToThePersonaThatItsSessionHasThen() {
    Channel owner = core.of("default");
    Channel client =
        core.as(
            core.core()
                .processCredential(
                    "default", "bea", Set.of("connectors:write", "sessions:write", "tasks:write")));
    String limit = SamplePersonas.made(owner, AutonomyTier.AUTONOMY_TIER_ACT_AUTO);
    String free = SamplePersonas.made(owner, AutonomyTier.AUTONOMY_TIER_ACT_AUTO);
    CreateConnectorRequest described =
        SamplePolls.described(list(url()).setInitial(InitialItems.INITIAL_ITEMS_ALL))
            .setTargetSessionId(SamplePersonas.session(owner, limit))
            .setTargetPersonaId(free)
            .build();
    Connector bound = ConnectorServiceGrpc.newBlockingStub(client).createConnector(described);
    polled(bound, 1);
    Connector lifted = connectors().createConnector(described);
    polled(lifted, 2);
    SamplePersonas.change(owner, limit, AutonomyTier.AUTONOMY_TIER_SUGGEST);
    server.answer(with(items("new")));

    clock.pass(MINUTE);

    await().until(() -> kinds(bound).contains("connector.failed"));
    assertThat(events(bound).toString()).contains("permission_denied");
    await().untilAsserted(() -> assertThat(tasks()).hasSize(1));
    assertThat(tasks().get(0).getCreatedBy()).isEqualTo(lifted.getId());
    assertThat(tasks().get(0).getPersonaId()).isEqualTo(free);
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

  private static String after(OddServer.Received request) {
    String target = request.head().split(" ", 3)[1];
    int at = target.indexOf("after=");
    return at < 0 ? "" : target.substring(at + "after=".length());
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
}
