package dev.bridle.core.connector;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorStatus;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.core.command.Write;
import dev.bridle.core.event.EventDraft;
import dev.bridle.core.event.Events;
import dev.bridle.core.event.Payload;
import dev.bridle.core.record.RecordKind;

/** Tells what happens to connectors and their deliveries, each in its connector's own stream. */
final class ConnectorEvents {
  private final Events events;

  ConnectorEvents(Events events) {
    this.events = events;
  }

  void tell(Write write, Connector connector, EventDraft draft) {
    var unused =
        events.ofResource(
            write,
            connector.getWorkspaceId(),
            "",
            RecordKind.CONNECTOR.name(),
            connector.getId(),
            connector.getId(),
            draft);
  }

  /** Returns what all events of a delivery tell. */
  static Payload facts(Delivery delivery) {
    return Payload.of()
        .text("delivery_id", delivery.getId())
        .text("dedupe_key", delivery.getDedupeKey());
  }

  static String spell(ConnectorStatus status) {
    return status.name().substring("CONNECTOR_STATUS_".length());
  }
}
