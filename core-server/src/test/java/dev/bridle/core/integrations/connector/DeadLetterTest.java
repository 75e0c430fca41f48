package dev.bridle.core.integrations.connector;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.DeleteConnectorRequest;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryMapping;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.DropDeliveryRequest;
import dev.bridle.connector.v1.ListDeadLettersRequest;
import dev.bridle.connector.v1.RedeliverRequest;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.connector.v1.UpdateConnectorRequest;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.vault.v1.DeleteVaultSecretRequest;
import dev.bridle.vault.v1.VaultServiceGrpc;
import io.grpc.Channel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deliveries that fail wait until they are sent again or dropped. */
class DeadLetterTest extends ReceivingConnectors {
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

  private Delivery redeliver(Connector connector, String id) {
    return deliveries.redeliver(
        RedeliverRequest.newBuilder().setConnectorId(connector.getId()).setDeliveryId(id).build());
  }

  @Test
  void whoHadSetTheSecretWhenItCameCountsAlsoAfterTheSecretWasDeleted() {
    Channel bob = core.as("bob", List.of("*"), List.of());
    CreateConnectorRequest.Builder described =
        described().setMapping(DeliveryMapping.newBuilder().setText("{/missing}"));
    SecretName secret = described.getWebhook().getSignature().getSecret();
    var set = SampleVaults.put(bob, secret.getVaultId(), secret.getName(), SampleConnectors.SECRET);
    assertThat(set.getVersion()).isEqualTo(2);
    Connector connector = made(described);
    String id = deliver(connector, "1", BODY).getDeliveryId();
    var unusedFailed = settled(connector, id);
    var unusedDeleted =
        VaultServiceGrpc.newBlockingStub(bob)
            .deleteVaultSecret(
                DeleteVaultSecretRequest.newBuilder()
                    .setVaultId(secret.getVaultId())
                    .setSecretName(secret.getName())
                    .build());
    var others = SampleVaults.put(core.owner(), secret.getVaultId(), secret.getName(), "another");
    assertThat(others.getVersion()).isEqualTo(3);
    var mended =
        ConnectorServiceGrpc.newBlockingStub(core.owner())
            .updateConnector(
                UpdateConnectorRequest.newBuilder()
                    .setConnectorId(connector.getId())
                    .setMapping(DeliveryMapping.newBuilder().setText("{/title}"))
                    .setUpdateMask(FieldMask.newBuilder().addPaths("mapping"))
                    .build());
    var unused = redeliver(mended, id);

    Delivery done = settled(connector, id);

    assertThat(core.record(done.getTaskId()).getAlsoSubmittedByList()).contains("bob");
  }
}
