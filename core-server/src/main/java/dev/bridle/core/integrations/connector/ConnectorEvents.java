package dev.bridle.core.integrations.connector;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.ConnectorStatus;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;

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
            ConnectorStore.CONNECTOR.name(),
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

  /** Returns a connector without what may be a secret in how it polls. */
  static Connector shown(Connector connector) {
    return connector.hasPolling()
        ? connector.toBuilder().setPolling(shown(connector.getPolling())).build()
        : connector;
  }

  /** Returns how a connector polls without the query of its URL, and without its headers. */
  static ConnectorPolling shown(ConnectorPolling polling) {
    int query = polling.getUrl().indexOf('?');
    return polling.toBuilder()
        .setUrl(query < 0 ? polling.getUrl() : polling.getUrl().substring(0, query))
        .clearHeaders()
        .build();
  }

  static String spell(ConnectorStatus status) {
    return status.name().substring("CONNECTOR_STATUS_".length());
  }
}
