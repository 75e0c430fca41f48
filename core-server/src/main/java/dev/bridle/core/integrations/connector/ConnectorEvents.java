package dev.bridle.core.integrations.connector;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.ConnectorStatus;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;

/** Appends events of connectors and their deliveries to the connector's stream. */
final class ConnectorEvents {
  private final Events events;

  ConnectorEvents(Events events) {
    this.events = events;
  }

  void append(Write write, Connector connector, EventDraft draft) {
    var unused =
        events.ofResource(
            write,
            connector.getWorkspaceId(),
            ConnectorStore.CONNECTOR.name(),
            connector.getId(),
            draft);
  }

  /** Returns the facts that all events of a delivery carry. */
  static Payload facts(Delivery delivery) {
    return Payload.of()
        .text("delivery_id", delivery.getId())
        .text("dedupe_key", delivery.getDedupeKey());
  }

  /** Returns a connector without its ingress path and what may be secret of its polling. */
  static Connector withoutSecrets(Connector connector) {
    Connector shown = IngressPath.hidden(connector);
    return shown.hasPolling()
        ? shown.toBuilder().setPolling(withoutSecrets(shown.getPolling())).build()
        : shown;
  }

  /** Returns a polling configuration without the query of its URL and without its headers. */
  static ConnectorPolling withoutSecrets(ConnectorPolling polling) {
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
