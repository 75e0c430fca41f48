package dev.bridle.core.integrations.connector;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.integrations.connector.SampleConnectors.delivery;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.DeleteConnectorRequest;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryMapping;
import dev.bridle.connector.v1.DeliveryServiceGrpc;
import dev.bridle.connector.v1.DeliveryServiceGrpc.DeliveryServiceBlockingStub;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.DropDeliveryRequest;
import dev.bridle.connector.v1.GetDeliveryRequest;
import dev.bridle.connector.v1.IngestRequest;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.connector.v1.ListDeadLettersRequest;
import dev.bridle.connector.v1.ListDeliveriesRequest;
import dev.bridle.connector.v1.ListDeliveriesResponse;
import dev.bridle.connector.v1.MappingTarget;
import dev.bridle.connector.v1.PauseConnectorRequest;
import dev.bridle.connector.v1.RedeliverRequest;
import dev.bridle.connector.v1.RenewConnectorIngressRequest;
import dev.bridle.connector.v1.UpdateConnectorRequest;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.Task;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeliveryTest {
  private static final String BODY = "{\"title\":\"It breaks\"}";

  @TempDir Path directory;
  private TestCore core;
  private String vault;
  private DeliveryServiceBlockingStub deliveries;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, TaskOptions.DEFAULT);
    vault = SampleConnectors.vault(core.owner());
    deliveries = DeliveryServiceGrpc.newBlockingStub(core.owner());
  }

  @AfterEach
  void stop() {
    core.close();
  }

  @Test
  void aDeliveryBecomesATaskAndTellsSo() {
    Connector connector = made(described());

    String id = deliver(connector, "1", BODY).getDeliveryId();

    Delivery done = settled(connector, id);
    assertThat(done.getStatus()).isEqualTo(DeliveryStatus.DELIVERY_STATUS_DONE);
    assertThat(done.getEventKind()).isEqualTo("issues");
    assertThat(done.getDedupeKey()).isEqualTo("id:1");
    assertThat(done.hasBody()).as("a body is kept only while it is needed").isFalse();
    Task task = core.task(done.getTaskId());
    assertThat(task.getCreatedBy()).isEqualTo(connector.getId());
    assertThat(task.getSessionId()).isEqualTo(done.getSessionId());
    assertThat(text(task.getInput().getMessage())).isEqualTo("Look at It breaks");
    assertThat(task.getMetadata().toStringUtf8())
        .isEqualTo(
            "{\"connector_id\":\"%s\",\"delivery_id\":\"%s\",\"event_kind\":\"issues\"}"
                .formatted(connector.getId(), id));
    assertThat(kinds(connector))
        .containsExactly(
            "vendor.bridle.connector_created",
            "connector.delivery_received",
            "connector.normalized",
            "connector.task_submitted");
  }

  @Test
  void theSameDeliveryComesInOnceHoweverOftenItIsSent() {
    Connector connector = made(described());

    IngestResponse first = deliver(connector, "1", BODY);
    IngestResponse second = deliver(connector, "1", BODY);
    IngestResponse other = deliver(connector, "2", "{\"title\":\"So does this\"}");

    assertThat(second.getDeliveryId()).isEqualTo(first.getDeliveryId());
    assertThat(second.getDuplicate()).isTrue();
    assertThat(other.getDuplicate()).isFalse();
    assertThat(settled(connector, first.getDeliveryId()).getDuplicates()).isEqualTo(1);
    settled(connector, other.getDeliveryId());
    assertThat(tasks()).hasSize(2);
    assertThat(kinds(connector)).containsOnlyOnce("connector.delivery_deduped");
  }

  @Test
  void aDeliveryThatIsSentAgainUnderAnotherIdIsKnownByItsSignature() {
    Connector connector = made(described());
    IngestResponse first = deliver(connector, "1", BODY);

    for (IngestRequest replay :
        List.of(
            SampleConnectors.delivery(SampleConnectors.ingress(connector), "2", BODY),
            unnamed(connector, BODY))) {
      IngestResponse again = deliver(replay);
      assertThat(again.getDuplicate()).isTrue();
      assertThat(again.getDeliveryId()).isEqualTo(first.getDeliveryId());
    }

    settled(connector, first.getDeliveryId());
    assertThat(tasks()).hasSize(1);
  }

  @Test
  void aTimedDeliveryThatIsSentAgainUnderAnotherIdIsKnownByItsSignature() {
    CreateConnectorRequest.Builder described = described();
    described.getWebhookBuilder().getSignatureBuilder().setPreset("bridle");
    Connector connector = made(described);
    long now = Instant.now().getEpochSecond();

    IngestResponse first = deliver(timed(connector, "1", now));
    IngestResponse replay = deliver(timed(connector, "2", now));
    IngestResponse later = deliver(timed(connector, "3", now + 1));

    assertThat(replay.getDuplicate()).isTrue();
    assertThat(replay.getDeliveryId()).isEqualTo(first.getDeliveryId());
    assertThat(later.getDuplicate()).as("signed anew").isFalse();
  }

  private static IngestRequest timed(Connector connector, String id, long time) {
    return SampleConnectors.delivery(
        SampleConnectors.ingress(connector),
        BODY,
        Map.of(
            "content-type",
            "application/json",
            "x-bridle-delivery",
            id,
            "x-harn-signature",
            "t=" + time + ",v1=" + Signing.hex(SampleConnectors.SECRET, time + "." + BODY)));
  }

  @Test
  void aBodyWithHalfOfASurrogatePairHasNoPlacesToReadFrom() {
    CreateConnectorRequest.Builder described = described();
    described.getDedupePolicyBuilder().setPointer("/id");
    Connector connector = made(described);

    IngestResponse taken = deliver(connector, "", "{\"id\":\"\\ud800\",\"title\":\"\\udc00\"}");

    Delivery failed = settled(connector, taken.getDeliveryId());
    assertThat(failed.getDedupeKey()).startsWith("sha256:");
    assertThat(failed.getStatus()).isEqualTo(DeliveryStatus.DELIVERY_STATUS_FAILED);
  }

  @Test
  void withoutAnIdTheBodyTellsDeliveriesApart() {
    Connector connector = made(described());

    IngestResponse first = deliver(unnamed(connector, BODY));
    IngestResponse again = deliver(unnamed(connector, BODY));
    IngestResponse other = deliver(unnamed(connector, "{\"title\":\"2\"}"));

    assertThat(again.getDeliveryId()).isEqualTo(first.getDeliveryId());
    assertThat(other.getDeliveryId()).isNotEqualTo(first.getDeliveryId());
    assertThat(settled(connector, first.getDeliveryId()).getDedupeKey()).startsWith("sha256:");
  }

  @Test
  void twoConnectorsTakeTheSameDeliveryEach() {
    Connector one = made(described());
    Connector two = made(described());

    deliver(one, "1", BODY);
    deliver(two, "1", BODY);

    await().untilAsserted(() -> assertThat(tasks()).hasSize(2));
  }

  @Test
  void aForgedDeliveryLeavesNothing() {
    Connector connector = made(described());
    IngestRequest good = delivery(SampleConnectors.ingress(connector), "1", BODY);
    IngestRequest forged =
        good.toBuilder().setBody(ByteString.copyFromUtf8("{\"title\":\"Forged\"}")).build();

    assertRefused(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "", () -> deliver(forged));
    assertRefused(
        ErrorCode.ERROR_CODE_UNAUTHENTICATED,
        "",
        () -> deliver(good.toBuilder().clearHeaders().build()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "",
        () -> deliver(good.toBuilder().setIngressId("hook_other").build()));
    assertThat(list(connector, DeliveryStatus.DELIVERY_STATUS_UNSPECIFIED).getDataList()).isEmpty();
    assertThat(kinds(connector)).containsExactly("vendor.bridle.connector_created");
  }

  @Test
  void aPathThatWasRenewedTakesNothingMore() {
    Connector before = made(described());
    Connector after =
        ConnectorServiceGrpc.newBlockingStub(core.owner())
            .renewConnectorIngress(
                RenewConnectorIngressRequest.newBuilder().setConnectorId(before.getId()).build());

    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> deliver(before, "1", BODY));
    assertThat(deliver(after, "1", BODY).getDeliveryId()).isNotEmpty();
  }

  @Test
  void aPausedConnectorSaysToComeBackLater() {
    Connector connector = made(described());
    var unused =
        ConnectorServiceGrpc.newBlockingStub(core.owner())
            .pauseConnector(
                PauseConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());

    assertRefused(
        ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE, "", () -> deliver(connector, "1", BODY));
  }

  @Test
  void kindsThatNobodyWantsBecomeNothing() {
    Connector connector = made(described().addEventKinds("push").addEventKinds("iss*x"));
    Connector wide = made(described().addEventKinds("iss*"));

    String ignored = deliver(connector, "1", BODY).getDeliveryId();
    String taken = deliver(wide, "1", BODY).getDeliveryId();

    assertThat(settled(connector, ignored).getStatus())
        .isEqualTo(DeliveryStatus.DELIVERY_STATUS_IGNORED);
    assertThat(settled(wide, taken).getStatus()).isEqualTo(DeliveryStatus.DELIVERY_STATUS_DONE);
    assertThat(tasks()).hasSize(1);
  }

  @Test
  void aDeliveryBecomesAMessageOfItsSession() {
    String session = core.newSession();
    Connector connector =
        made(
            described()
                .setTargetSessionId(session)
                .setMapping(
                    DeliveryMapping.newBuilder()
                        .setTarget(MappingTarget.MAPPING_TARGET_MESSAGE)
                        .setText("{event_kind}: {/title}")));

    Delivery done = settled(connector, deliver(connector, "1", BODY).getDeliveryId());

    List<Message> messages =
        MessageServiceGrpc.newBlockingStub(core.owner())
            .listSessionMessages(
                ListSessionMessagesRequest.newBuilder().setSessionId(session).build())
            .getDataList();
    assertThat(messages).extracting(Message::getId).containsExactly(done.getMessageId());
    assertThat(text(messages.get(0))).isEqualTo("issues: It breaks");
    assertThat(tasks()).isEmpty();
    assertThat(kinds(connector)).doesNotContain("connector.task_submitted");
  }

  @Test
  void whatCanNotBeMappedIsADeadLetterUntilItIsMended() {
    Connector connector =
        made(described().setMapping(DeliveryMapping.newBuilder().setText("{/missing}")));
    String id = deliver(connector, "1", BODY).getDeliveryId();

    Delivery failed = settled(connector, id);
    assertThat(failed.getStatus()).isEqualTo(DeliveryStatus.DELIVERY_STATUS_FAILED);
    assertThat(failed.getFailure().getCode()).isEqualTo("mapping_failed");
    assertThat(failed.getFailure().getMessage())
        .isEqualTo("The delivery has no value for {/missing}.");
    assertThat(failed.getBody()).isEqualTo(BODY);
    assertThat(list(connector, DeliveryStatus.DELIVERY_STATUS_FAILED).getDataList())
        .extracting(Delivery::getId)
        .containsExactly(id);
    assertThat(kinds(connector)).containsOnlyOnce("connector.failed");

    var mended =
        ConnectorServiceGrpc.newBlockingStub(core.owner())
            .updateConnector(
                UpdateConnectorRequest.newBuilder()
                    .setConnectorId(connector.getId())
                    .setMapping(DeliveryMapping.newBuilder().setText("{/title}"))
                    .setUpdateMask(FieldMask.newBuilder().addPaths("mapping"))
                    .build());
    assertThat(redeliver(mended, id).getStatus())
        .isEqualTo(DeliveryStatus.DELIVERY_STATUS_RECEIVED);

    Delivery done = settled(connector, id);
    assertThat(done.getStatus()).isEqualTo(DeliveryStatus.DELIVERY_STATUS_DONE);
    assertThat(done.hasFailure()).isFalse();
    assertThat(tasks()).hasSize(1);
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> redeliver(connector, id));
  }

  @Test
  void aDeadLetterThatIsDroppedLosesItsBodyAndStaysKnown() {
    String session = core.newSession();
    Connector connector = made(described().setTargetSessionId(session));
    var unused =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .closeSession(CloseSessionRequest.newBuilder().setSessionId(session).build());
    String id = deliver(connector, "1", BODY).getDeliveryId();
    assertThat(settled(connector, id).getFailure().getCode()).isEqualTo("conflict");

    DropDeliveryRequest drop =
        DropDeliveryRequest.newBuilder()
            .setConnectorId(connector.getId())
            .setDeliveryId(id)
            .build();
    Delivery dropped = deliveries.dropDelivery(drop);

    assertThat(dropped.getStatus()).isEqualTo(DeliveryStatus.DELIVERY_STATUS_DROPPED);
    assertThat(deliveries.dropDelivery(drop)).isEqualTo(dropped);
    assertThat(settled(connector, id).hasBody()).isFalse();
    assertThat(deliver(connector, "1", BODY).getDuplicate()).isTrue();
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> redeliver(connector, id));
  }

  @Test
  void deadLettersOfAllConnectorsAreOneList() {
    DeliveryMapping nothing = DeliveryMapping.newBuilder().setText("{/missing}").build();
    Connector one = made(described().setMapping(nothing));
    Connector two = made(described().setMapping(nothing));
    Connector good = made(described());
    String first = deliver(one, "1", BODY).getDeliveryId();
    String second = deliver(two, "1", BODY).getDeliveryId();
    String third = deliver(one, "2", "{\"title\":\"2\"}").getDeliveryId();
    settled(good, deliver(good, "1", BODY).getDeliveryId());
    settled(one, first);
    settled(two, second);
    settled(one, third);

    assertThat(deadLetters()).containsExactlyInAnyOrder(first, second, third);
    ListDeadLettersRequest.Builder ask = ListDeadLettersRequest.newBuilder().setLimit(2);
    var page = deliveries.listDeadLetters(ask.build());
    assertThat(page.getDataList()).hasSize(2);
    assertThat(
            deliveries
                .listDeadLetters(ask.setCursor(page.getPage().getNextCursor()).build())
                .getDataList())
        .hasSize(1);
    assertThat(
            deliveries
                .listDeadLetters(ListDeadLettersRequest.newBuilder().setWorkspaceId("none").build())
                .getDataList())
        .isEmpty();

    var unused =
        deliveries.dropDelivery(
            DropDeliveryRequest.newBuilder()
                .setConnectorId(one.getId())
                .setDeliveryId(first)
                .build());
    assertThat(deadLetters()).containsExactlyInAnyOrder(second, third);
    var gone =
        ConnectorServiceGrpc.newBlockingStub(core.owner())
            .deleteConnector(
                DeleteConnectorRequest.newBuilder().setConnectorId(two.getId()).build());
    assertThat(gone).isNotNull();
    assertThat(deadLetters()).containsExactly(third);
  }

  private List<String> deadLetters() {
    return deliveries
        .listDeadLetters(ListDeadLettersRequest.newBuilder().setWorkspaceId("default").build())
        .getDataList()
        .stream()
        .map(Delivery::getId)
        .toList();
  }

  @Test
  void headersThatProveTheSenderAreNotKept() {
    Connector connector =
        made(
            described().setMapping(DeliveryMapping.newBuilder().setText("{header:authorization}")));
    IngestRequest.Builder request =
        delivery(SampleConnectors.ingress(connector), "1", BODY).toBuilder();
    request.addHeaders(
        IngressHeader.newBuilder().setName("Authorization").setValue("Bearer swordfish"));
    for (String name :
        List.of(
            "X-Gitlab-Token", "x-api-key", "Cookie", "X-Shared-Secret", "Proxy-Authorization")) {
      request.addHeaders(IngressHeader.newBuilder().setName(name).setValue("swordfish"));
    }

    Delivery failed = settled(connector, deliver(request.build()).getDeliveryId());

    assertThat(failed.getStatus()).isEqualTo(DeliveryStatus.DELIVERY_STATUS_FAILED);
    KeyRange everything = new KeyRange(new byte[0], new byte[] {(byte) 0xFF});
    List<KeyValue> stored = core.store().read(tr -> tr.getRange(everything, 100_000));
    assertThat(stored)
        .noneMatch(row -> new String(row.value(), StandardCharsets.UTF_8).contains("swordfish"));
  }

  @Test
  void deliveriesAreListedNewestFirstPageByPage() {
    Connector connector = made(described());
    List<String> ids =
        IntStream.range(0, 5)
            .mapToObj(i -> deliver(connector, "d" + i, "{\"title\":" + i + "}").getDeliveryId())
            .toList();
    ids.forEach(id -> settled(connector, id));

    ListDeliveriesRequest.Builder ask =
        ListDeliveriesRequest.newBuilder().setConnectorId(connector.getId()).setLimit(3);
    ListDeliveriesResponse first = deliveries.listDeliveries(ask.build());
    ListDeliveriesResponse last =
        deliveries.listDeliveries(ask.setCursor(first.getPage().getNextCursor()).build());

    assertThat(first.getDataList())
        .extracting(Delivery::getId)
        .containsExactlyElementsOf(
            ids.stream().sorted(Comparator.reverseOrder()).limit(3).toList());
    assertThat(last.getDataList()).hasSize(2);
    assertThat(last.getPage().getHasMore()).isFalse();
  }

  @Test
  void slackTriesAPathOutAndNothingComesOfIt() {
    CreateConnectorRequest.Builder described = described();
    described.getWebhookBuilder().getSignatureBuilder().setPreset("slack");
    Connector connector = made(described);
    String body = "{\"type\":\"url_verification\",\"challenge\":\"3eZbrw\"}";
    String time = Long.toString(System.currentTimeMillis() / 1000);

    IngestResponse answer =
        deliver(
            delivery(
                SampleConnectors.ingress(connector),
                body,
                Map.of(
                    "x-slack-request-timestamp",
                    time,
                    "x-slack-signature",
                    "v0=" + Signing.hex(SampleConnectors.SECRET, "v0:" + time + ":" + body))));

    assertThat(answer).isEqualTo(IngestResponse.newBuilder().setChallenge("3eZbrw").build());
    assertThat(kinds(connector)).containsExactly("vendor.bridle.connector_created");
  }

  private CreateConnectorRequest.Builder described() {
    return SampleConnectors.described(vault);
  }

  private Connector made(CreateConnectorRequest.Builder described) {
    return SampleConnectors.made(core.owner(), described);
  }

  private IngestResponse deliver(Connector connector, String id, String body) {
    return deliver(delivery(SampleConnectors.ingress(connector), id, body));
  }

  private IngestResponse deliver(IngestRequest request) {
    return SampleConnectors.deliver(core.core().channel(), request);
  }

  private static IngestRequest unnamed(Connector connector, String body) {
    return delivery(
        SampleConnectors.ingress(connector),
        body,
        Map.of(
            "x-github-event",
            "issues",
            "x-hub-signature-256",
            "sha256=" + Signing.hex(SampleConnectors.SECRET, body)));
  }

  private Delivery settled(Connector connector, String id) {
    return await()
        .until(
            () ->
                deliveries.getDelivery(
                    GetDeliveryRequest.newBuilder()
                        .setConnectorId(connector.getId())
                        .setDeliveryId(id)
                        .build()),
            found -> found.getStatus() != DeliveryStatus.DELIVERY_STATUS_RECEIVED);
  }

  private Delivery redeliver(Connector connector, String id) {
    return deliveries.redeliver(
        RedeliverRequest.newBuilder().setConnectorId(connector.getId()).setDeliveryId(id).build());
  }

  private ListDeliveriesResponse list(Connector connector, DeliveryStatus status) {
    ListDeliveriesRequest.Builder ask =
        ListDeliveriesRequest.newBuilder().setConnectorId(connector.getId());
    if (status != DeliveryStatus.DELIVERY_STATUS_UNSPECIFIED) {
      ask.setStatus(status);
    }
    return deliveries.listDeliveries(ask.build());
  }

  private List<Task> tasks() {
    return core.tasks().listTasks(ListTasksRequest.getDefaultInstance()).getDataList();
  }

  private List<String> kinds(Connector connector) {
    return core
        .events()
        .listEvents(ListEventsRequest.newBuilder().setLimit(200).build())
        .getDataList()
        .stream()
        .filter(event -> event.getResource().getId().equals(connector.getId()))
        .map(Event::getEvent)
        .toList();
  }

  private static String text(Message message) {
    return message.getParts(0).getText().getText();
  }
}
