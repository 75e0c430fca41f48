package dev.bridle.core.integrations.connector;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorStatus;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.resource.ResourceAction;
import dev.bridle.core.kernel.resource.ResourceAction.Change;
import dev.bridle.core.work.task.TaskCreationRules;
import dev.bridle.record.v1.ConnectorRecord;
import java.util.Map;
import java.util.Optional;

/** Pauses and resumes connectors, has them poll, and renews their ingress paths. */
final class ConnectorActions {
  private ConnectorActions() {}

  /** Returns the service's methods by name. */
  static Map<String, ResourceAction<ConnectorRecord>> all() {
    return Map.of(
        "PauseConnector",
        (write, before, request) ->
            setStatus(write, before, ConnectorStatus.CONNECTOR_STATUS_PAUSED),
        "ResumeConnector",
        ResourceAction.checked(
            ConnectorRules::needMaker,
            (write, before, request) ->
                setStatus(write, before, ConnectorStatus.CONNECTOR_STATUS_ACTIVE)),
        "PollConnector",
        ConnectorActions::pollNow,
        "RenewConnectorIngress",
        ConnectorActions::renewIngress);
  }

  private static Optional<Change<ConnectorRecord>> setStatus(
      Write write, ConnectorRecord before, ConnectorStatus status) {
    return before.getConnector().getStatus() == status
        ? Optional.empty()
        : Optional.of(
            new Change<>(
                ConnectorRules.changed(
                    write, before, touched(write, before).setStatus(status).build()),
                Payload.of().text("status", ConnectorEvents.spell(status))));
  }

  /** Schedules a poll now. Does nothing if a poll is under way already. */
  private static Optional<Change<ConnectorRecord>> pollNow(
      Write write, ConnectorRecord before, Message request) {
    if (!PollStates.polls(before)) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_CONFLICT,
          before.getConnector().hasPolling()
              ? "The connector is paused; resume it to have it poll."
              : "The connector does not poll; it only takes webhooks.");
    }
    if (!before.getPolls().getClaim().isEmpty()) {
      return Optional.empty();
    }
    ConnectorRecord.Builder asked = before.toBuilder();
    asked.getPollsBuilder().setDueAt(write.nowMillis());
    return Optional.of(new Change<>(asked.build(), Payload.of().flag("poll_asked_for", true)));
  }

  private static Optional<Change<ConnectorRecord>> renewIngress(
      Write write, ConnectorRecord before, Message request) {
    if (IngressHash.of(before).isEmpty()) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_CONFLICT, "The connector has no webhook, and so no ingress path.");
    }
    // Who has the new path can deliver.
    ConnectorRecord after =
        before.toBuilder()
            .setConnector(touched(write, before))
            .clearShapedBy()
            .addAllShapedBy(
                TaskCreationRules.shapers(
                    before.getShapedByList(), before.getMadeBy(), write.actor()))
            .build();
    return Optional.of(
        new Change<>(
            IngressPath.renewed(write, after), Payload.of().flag("ingress_renewed", true)));
  }

  private static Connector.Builder touched(Write write, ConnectorRecord before) {
    return before.getConnector().toBuilder().setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
  }
}
