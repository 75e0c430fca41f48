package dev.bridle.core.integrations.connector;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.integrations.connector.SampleConnectors.delivery;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryMapping;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.IngestRequest;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.connector.v1.PauseConnectorRequest;
import dev.bridle.connector.v1.RenewConnectorIngressRequest;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may deliver, and what of a request is kept. */
class DeliveryAdmissionTest extends ReceivingConnectors {
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
}
