package dev.bridle.core.integrations.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryMapping;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.ListDeliveriesRequest;
import dev.bridle.connector.v1.ListDeliveriesResponse;
import dev.bridle.connector.v1.MappingTarget;
import dev.bridle.core.work.persona.SamplePersonas;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.task.v1.Task;
import io.grpc.Channel;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What comes of a delivery that is taken. */
class DeliveryTest extends ReceivingConnectors {
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
  void aDeliveryIsHeldToThePersonaThatItsSessionHasThen() {
    String limit = SamplePersonas.made(core.owner(), AutonomyTier.AUTONOMY_TIER_ACT_AUTO);
    String free = SamplePersonas.made(core.owner(), AutonomyTier.AUTONOMY_TIER_ACT_AUTO);
    CreateConnectorRequest.Builder described =
        described()
            .setTargetSessionId(SamplePersonas.session(core.owner(), limit))
            .setTargetPersonaId(free);
    Channel client =
        core.as(
            "client",
            List.of("connectors:write", "sessions:write", "tasks:write", "vaults:read"),
            List.of());
    Connector bound = SampleConnectors.made(client, described);
    Connector lifted = made(described);
    SamplePersonas.change(core.owner(), limit, AutonomyTier.AUTONOMY_TIER_SUGGEST);

    Delivery failed = settled(bound, deliver(bound, "1", BODY).getDeliveryId());
    Delivery done = settled(lifted, deliver(lifted, "1", BODY).getDeliveryId());

    assertThat(failed.getFailure().getCode()).isEqualTo("permission_denied");
    assertThat(done.getStatus()).isEqualTo(DeliveryStatus.DELIVERY_STATUS_DONE);
    assertThat(tasks()).extracting(Task::getId).containsExactly(done.getTaskId());
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
}
