package dev.bridle.core.integrations.connector;

import com.google.protobuf.util.Timestamps;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.IngestResponse;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.record.v1.DeliveryRecord;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Stores a delivery under its dedupe key, and appends an event for its receipt or for the
 * duplicate.
 */
final class DeliveryIntake {
  private final DeliveryStore deliveries;
  private final ConnectorEvents events;
  private final ConnectSecrets secrets;

  DeliveryIntake(DeliveryStore deliveries, ConnectorEvents events, ConnectSecrets secrets) {
    this.deliveries = deliveries;
    this.events = events;
    this.secrets = secrets;
  }

  /**
   * Stores a delivery, or counts a duplicate.
   *
   * @param polled whether the delivery is a polled item
   */
  IngestResponse take(
      Write write,
      Connector connector,
      DeliveryKeys keys,
      byte[] body,
      List<IngressHeader> headers,
      boolean polled) {
    Optional<DeliveryRecord> known =
        deliveries.known(write.tr(), write.tenant(), connector.getId(), keys);
    return known.isPresent()
        ? again(write, connector, known.get())
        : first(write, connector, keys, body, headers, polled);
  }

  private IngestResponse first(
      Write write,
      Connector connector,
      DeliveryKeys keys,
      byte[] body,
      List<IngressHeader> headers,
      boolean polled) {
    Delivery delivery =
        Delivery.newBuilder()
            .setId(write.id("delivery"))
            .setCreatedAt(Timestamps.fromMillis(write.nowMillis()))
            .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
            .setConnectorId(connector.getId())
            .setStatus(DeliveryStatus.DELIVERY_STATUS_RECEIVED)
            .setDedupeKey(keys.dedupe())
            .setSize(body.length)
            .setSha256(HexFormat.of().formatHex(DeliveryStore.sha256(body)))
            .build();
    long window = ConnectorRules.dedupe(connector).getWindowSeconds() * 1000;
    deliveries.insert(
        write,
        DeliveryRecord.newBuilder()
            .setDelivery(delivery)
            .setDueAt(write.nowMillis())
            .setKnownUntil(write.nowMillis() + window)
            .setPolled(polled)
            .setSignatureKey(keys.signature().orElse(""))
            .addAllSecretSetBy(
                secrets.setBy(write.tr(), write.tenant(), ConnectorRules.secret(connector, polled)))
            .build(),
        body,
        headers);
    events.append(
        write,
        connector,
        EventDraft.of(
            EventKinds.CONNECTOR_RECEIVED,
            ConnectorEvents.facts(delivery)
                .number("size", delivery.getSize())
                .text("sha256", delivery.getSha256())));
    return IngestResponse.newBuilder().setDeliveryId(delivery.getId()).build();
  }

  private IngestResponse again(Write write, Connector connector, DeliveryRecord before) {
    DeliveryRecord.Builder after = before.toBuilder();
    Delivery delivery =
        after
            .getDeliveryBuilder()
            .setDuplicates(before.getDelivery().getDuplicates() + 1)
            .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
            .build();
    deliveries.update(write, before, after.build());
    events.append(
        write,
        connector,
        EventDraft.of(
            EventKinds.CONNECTOR_DEDUPED,
            ConnectorEvents.facts(delivery).number("duplicates", delivery.getDuplicates())));
    return IngestResponse.newBuilder().setDeliveryId(delivery.getId()).setDuplicate(true).build();
  }
}
