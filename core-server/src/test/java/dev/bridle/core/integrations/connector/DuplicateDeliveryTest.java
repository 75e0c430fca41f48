package dev.bridle.core.integrations.connector;

import static dev.bridle.core.integrations.connector.SampleConnectors.delivery;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.CreateConnectorRequest;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.IngestRequest;
import dev.bridle.connector.v1.IngestResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A delivery that is sent again is known. */
class DuplicateDeliveryTest extends ReceivingConnectors {
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
}
