package dev.bridle.core.integrations.connector;

import com.google.protobuf.ByteString;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.MappingTarget;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.core.integrations.connector.mapping.DeliveryContent;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.session.SessionMessages;
import dev.bridle.core.work.task.TaskCreator;
import dev.bridle.core.work.task.TaskSpec;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.DeliveryRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.task.v1.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Applies a connector's mapping to a delivery: creates a task, a message or nothing. */
final class DeliveryMapper {
  private static final int LONGEST_KIND = 255;

  private final TaskCreator orders;
  private final SessionMessages messages;
  private final ConnectorEvents events;
  private final ConnectSecrets secrets;

  DeliveryMapper(
      TaskCreator orders,
      SessionMessages messages,
      ConnectorEvents events,
      ConnectSecrets secrets) {
    this.orders = orders;
    this.messages = messages;
    this.events = events;
    this.secrets = secrets;
  }

  /**
   * Maps a delivery. The current caller is the connector.
   *
   * @throws dev.bridle.core.integrations.connector.mapping.MappingException if the delivery lacks a
   *     value that the mapping requires
   */
  Delivery map(Write write, ConnectorRecord owner, DeliveryRecord record, DeliveryContent content) {
    Connector connector = owner.getConnector();
    Delivery delivery = record.getDelivery();
    Map<String, String> known = Map.of(ConnectorRules.DELIVERY_ID, delivery.getId());
    String rendered =
        ConnectorRules.eventKind(connector, record.getPolled()).render(content, known);
    String kind = rendered.substring(0, Math.min(rendered.length(), LONGEST_KIND));
    Delivery.Builder after = delivery.toBuilder().clearFailure().setEventKind(kind);
    if (!mapsKind(connector, kind)) {
      return after.setStatus(DeliveryStatus.DELIVERY_STATUS_IGNORED).build();
    }
    String text =
        ConnectorRules.text(connector)
            .render(
                content,
                Map.of(
                    ConnectorRules.DELIVERY_ID, delivery.getId(), ConnectorRules.EVENT_KIND, kind));
    ByteString metadata =
        Payload.of()
            .text("connector_id", connector.getId())
            .text("delivery_id", delivery.getId())
            .text("event_kind", kind)
            .json();
    TaskSpec order =
        TaskSpec.of(
                connector.getWorkspaceId(),
                Optional.of(connector.getTargetPersonaId())
                    .filter(id -> connector.hasTargetPersonaId()),
                Optional.of(connector.getTargetSessionId())
                    .filter(id -> connector.hasTargetSessionId()),
                text,
                metadata)
            .by(owner.getMadeBy(), shapers(write, owner, record));
    Session session = orders.session(write, order);
    after.setStatus(DeliveryStatus.DELIVERY_STATUS_DONE).setSessionId(session.getId());
    if (connector.getMapping().getTarget() == MappingTarget.MAPPING_TARGET_MESSAGE) {
      Message message = messages.append(write, session, order.message());
      return normalized(write, connector, after.setMessageId(message.getId()));
    }
    Task task = orders.submit(write, session, order);
    Delivery done = normalized(write, connector, after.setTaskId(task.getId()));
    events.append(
        write,
        connector,
        EventDraft.of(
            EventKinds.CONNECTOR_SUBMITTED,
            ConnectorEvents.facts(done)
                .text("task_id", task.getId())
                .text("session_id", session.getId())));
    return done;
  }

  /**
   * Returns who can have decided what a delivery says: who has shaped the connector, and who has
   * set the secret that it polls with or that deliveries are signed with, when it came or since.
   */
  private List<String> shapers(Write write, ConnectorRecord owner, DeliveryRecord record) {
    SecretName secret = ConnectorRules.secret(owner.getConnector(), record.getPolled());
    List<String> all = new ArrayList<>(owner.getShapedByList());
    all.addAll(record.getSecretSetByList());
    all.addAll(secrets.setBy(write.tr(), write.tenant(), secret));
    return all;
  }

  private Delivery normalized(Write write, Connector connector, Delivery.Builder delivery) {
    Delivery done = delivery.build();
    events.append(
        write,
        connector,
        EventDraft.of(
            EventKinds.CONNECTOR_NORMALIZED,
            ConnectorEvents.facts(done)
                .text("event_kind", done.getEventKind())
                .text("session_id", done.getSessionId())
                .text("message_id", done.getMessageId())));
    return done;
  }

  /** Returns whether the connector accepts deliveries of a kind. */
  private static boolean mapsKind(Connector connector, String kind) {
    return connector.getEventKindsCount() == 0
        || connector.getEventKindsList().stream()
            .anyMatch(
                wanted ->
                    wanted.endsWith("*")
                        ? kind.startsWith(wanted.substring(0, wanted.length() - 1))
                        : kind.equals(wanted));
  }
}
