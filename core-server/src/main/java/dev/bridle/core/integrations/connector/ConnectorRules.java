package dev.bridle.core.integrations.connector;

import com.fasterxml.jackson.core.JsonPointer;
import com.google.protobuf.Message;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorStatus;
import dev.bridle.connector.v1.DedupePolicy;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.connector.v1.UpdateConnectorRequest;
import dev.bridle.core.integrations.connector.mapping.Template;
import dev.bridle.core.integrations.connector.polling.PollRules;
import dev.bridle.core.integrations.connector.signature.Preset;
import dev.bridle.core.integrations.connector.signature.SignatureScheme;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.resource.DeleteRules;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.kernel.resource.UpdateRules;
import dev.bridle.core.work.task.TaskCreationRules;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.core.work.workspace.WorkspaceOwned;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.storage.ReadTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The rules of connectors as a resource (protocol section "Connector"): validates them, and the
 * permissions of those who create or change them.
 */
final class ConnectorRules extends WorkspaceOwned<ConnectorRecord, Connector>
    implements UpdateRules<ConnectorRecord, Connector>, DeleteRules<ConnectorRecord, Connector> {
  static final String DELIVERY_ID = "delivery_id";
  static final String EVENT_KIND = "event_kind";

  /** The default event kind of polled items. */
  private static final String ITEM = "item";

  private static final Duration WINDOW = Duration.ofDays(7);

  private final TaskCreationRules orders;
  private final ConnectorStore connectors;
  private final ConnectSecrets secrets;
  private final PollRules polls;
  private final int most;

  ConnectorRules(
      CoreContext context, ConnectorStore connectors, ConnectSecrets secrets, PollRules polls) {
    super(new WorkspaceStore(context.layout()));
    this.orders = new TaskCreationRules(context);
    this.connectors = connectors;
    this.secrets = secrets;
    this.polls = polls;
    this.most = context.settings(TenantLimits.class).connectors();
  }

  @Override
  public void admit(Caller caller) {
    needMaker(caller);
  }

  /** Checks that the caller has the permissions that the connector will use. */
  static void needMaker(Caller caller) {
    TaskCreationRules.needMaker(caller, "connector");
  }

  @Override
  public String workspaceOf(ConnectorRecord record) {
    return record.getConnector().getWorkspaceId();
  }

  @Override
  public boolean deleted(ConnectorRecord record) {
    return !ConnectorStore.lives(record);
  }

  @Override
  public ConnectorRecord create(Write write, Caller caller, Message request, Connector given) {
    Connector.Builder made =
        IngressPath.hidden(given).toBuilder().setStatus(ConnectorStatus.CONNECTOR_STATUS_ACTIVE);
    if (made.hasPolling()) {
      made.setPolling(PollRules.withDefaults(made.getPolling()));
    }
    Connector connector = made.build();
    check(write, caller, connector);
    TenantLimits.needRoom(
        write, connectors.records(), ConnectorStore.CONNECTOR, ConnectorStore::lives, most);
    return changed(write, by(caller, ConnectorRecord.getDefaultInstance()), connector);
  }

  private static ConnectorRecord by(Caller maker, ConnectorRecord record) {
    return record.toBuilder()
        .setAboveSessionPersona(TaskCreationRules.exceedPersonas(maker))
        .setMadeBy(maker.actor())
        .clearShapedBy()
        .addAllShapedBy(
            TaskCreationRules.shapers(record.getShapedByList(), record.getMadeBy(), maker.actor()))
        .build();
  }

  /** Returns the record of a connector after a change, with its ingress path and its next poll. */
  static ConnectorRecord changed(Write write, ConnectorRecord before, Connector connector) {
    return PollStates.afterChange(
        before,
        IngressPath.opened(write, before.toBuilder().setConnector(connector).build()),
        write.nowMillis());
  }

  @Override
  public Payload created(Connector connector) {
    return Members.createdFacts(ConnectorEvents.withoutSecrets(connector));
  }

  /** Returns the connector with the state of its polling. */
  @Override
  public Connector shown(
      ReadTransaction tr, String tenant, ConnectorRecord record, Connector shown, long nowMillis) {
    return shown.hasPolling()
        ? shown.toBuilder().setPolls(PollStates.toResource(record.getPolls())).build()
        : shown;
  }

  @Override
  public Connector kept(Connector answer) {
    return IngressPath.hidden(answer);
  }

  /** Ignores the ingress path, and sets what a polling lacks. */
  @Override
  public Message applied(Message request) {
    UpdateConnectorRequest.Builder applied = ((UpdateConnectorRequest) request).toBuilder();
    if (applied.hasWebhook()) {
      applied.getWebhookBuilder().clearPath();
    }
    if (applied.hasPolling()) {
      applied.setPolling(PollRules.withDefaults(applied.getPolling()));
    }
    return applied.build();
  }

  @Override
  public ConnectorRecord update(
      Write write, Caller caller, ConnectorRecord before, Connector after) {
    check(write, caller, after);
    if (PollStates.requestChanged(before.getConnector(), after)) {
      connectors.forgetSeen(write, after.getId());
    }
    ConnectorRecord by = by(caller, before);
    return changed(
        write,
        tasks(before.getConnector()).equals(tasks(after))
            ? by.toBuilder()
                .setMadeBy(before.getMadeBy())
                .clearShapedBy()
                .addAllShapedBy(before.getShapedByList())
                .build()
            : by,
        after);
  }

  /**
   * Returns a connector without what concerns neither the tasks that it submits, nor where their
   * texts come from.
   */
  private static Connector tasks(Connector connector) {
    Connector.Builder tasks =
        connector.toBuilder().clearMetadata().clearUpdatedAt().clearStatus().clearPolls();
    if (tasks.hasPolling()) {
      tasks.getPollingBuilder().clearIntervalSeconds().clearCron().clearTimeZone();
    }
    return tasks.build();
  }

  /** Returns the changed members without the parts of the polling that may be secret. */
  @Override
  public Payload updatedFacts(
      Write write, ConnectorRecord before, Message request, Members.Change<Connector> change) {
    UpdateConnectorRequest.Builder shown = ((UpdateConnectorRequest) request).toBuilder();
    if (shown.hasPolling()) {
      shown.setPolling(ConnectorEvents.withoutSecrets(shown.getPolling()));
    }
    Connector from = ConnectorEvents.withoutSecrets(before.getConnector());
    return Members.applyMask(write, from, shown.build(), shown.getUpdateMask())
        .map(Members.Change::changedFields)
        .orElseGet(() -> Payload.of().flag("polling_changed", true));
  }

  @Override
  public ConnectorRecord delete(Write write, Caller caller, ConnectorRecord before) {
    Connector connector = before.getConnector();
    connectors.forgetSeen(write, connector.getId());
    return ConnectorRecord.newBuilder()
        .setConnector(
            Connector.newBuilder()
                .setId(connector.getId())
                .setWorkspaceId(connector.getWorkspaceId()))
        .setDeletedAt(write.nowMillis())
        .build();
  }

  private void check(Write write, Caller caller, Connector connector) {
    ReadTransaction tr = write.tr();
    needMember("webhook", connector.hasWebhook() || connector.hasPolling());
    needMember("mapping", connector.hasMapping());
    if (connector.hasWebhook()) {
      var scheme = SignatureScheme.of(connector.getWebhook().getSignature());
      if (scheme.isPresent()) {
        secrets.needUsable(
            tr,
            caller,
            connector.getWorkspaceId(),
            connector.getWebhook().getSignature().getSecret(),
            "webhook.signature.secret");
      }
    }
    if (connector.hasPolling()) {
      polls.check(connector.getPolling(), Instant.ofEpochMilli(write.nowMillis()));
    }
    if (connector.hasAuth()) {
      needMember("polling", connector.hasPolling());
      PollRules.checkAuth(connector.getAuth(), connector.getPolling());
      secrets.needUsable(
          tr, caller, connector.getWorkspaceId(), connector.getAuth().getSecret(), "auth.secret");
    }
    orders.checkTargets(
        tr,
        caller,
        connector.getWorkspaceId(),
        Optional.of(connector.getTargetPersonaId()).filter(id -> connector.hasTargetPersonaId()),
        Optional.of(connector.getTargetSessionId()).filter(id -> connector.hasTargetSessionId()));
    var unusedKind = eventKind(connector, !connector.hasWebhook());
    var unusedText = text(connector);
    pointer(dedupe(connector));
  }

  private static void needMember(String name, boolean there) {
    if (!there) {
      throw ProtocolException.invalid(name, "must not be empty");
    }
  }

  /**
   * Returns the template of the event kind.
   *
   * @param polled whether the delivery is a polled item
   */
  static Template eventKind(Connector connector, boolean polled) {
    String given = connector.getMapping().getEventKind();
    String known = polled ? ITEM : Preset.of(connector.getWebhook().getSignature()).eventKind();
    return Template.parse(
        "mapping.event_kind", given.isEmpty() ? known : given, List.of(DELIVERY_ID));
  }

  /** Returns the template of the text that a delivery is mapped to. */
  static Template text(Connector connector) {
    return Template.parse(
        "mapping.text", connector.getMapping().getText(), List.of(DELIVERY_ID, EVENT_KIND));
  }

  /** Returns how duplicate deliveries are recognized. */
  static DedupePolicy dedupe(Connector connector) {
    DedupePolicy given = connector.getDedupePolicy();
    DedupePolicy known = Preset.of(connector.getWebhook().getSignature()).dedupe();
    boolean named = !given.getHeader().isEmpty() || !given.getPointer().isEmpty();
    return (named ? given : known.toBuilder().mergeFrom(given).build())
        .toBuilder()
            .setWindowSeconds(
                given.hasWindowSeconds() ? given.getWindowSeconds() : WINDOW.toSeconds())
            .build();
  }

  /**
   * Returns the JSON Pointer to a delivery's id; the pointer to the whole body if none is
   * configured.
   */
  static JsonPointer pointer(DedupePolicy policy) {
    try {
      return JsonPointer.compile(policy.getPointer());
    } catch (IllegalArgumentException e) {
      throw ProtocolException.invalid(
          "dedupe_policy.pointer", "is no JSON Pointer; it begins with a slash");
    }
  }

  /** Returns the secret that a connector polls with, or that its deliveries are signed with. */
  static SecretName secret(Connector connector, boolean polled) {
    return polled
        ? connector.getAuth().getSecret()
        : connector.getWebhook().getSignature().getSecret();
  }
}
