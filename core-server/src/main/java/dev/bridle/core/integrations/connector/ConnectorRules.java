package dev.bridle.core.integrations.connector;

import com.fasterxml.jackson.core.JsonPointer;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.DedupePolicy;
import dev.bridle.core.integrations.connector.mapping.Template;
import dev.bridle.core.integrations.connector.polling.PollRules;
import dev.bridle.core.integrations.connector.signature.Preset;
import dev.bridle.core.integrations.connector.signature.SignatureScheme;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.work.task.TaskCreationRules;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.storage.ReadTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Validates connectors, and the permissions of those who create or change them. */
final class ConnectorRules {
  static final String DELIVERY_ID = "delivery_id";
  static final String EVENT_KIND = "event_kind";

  /** The default event kind of polled items. */
  private static final String ITEM = "item";

  private static final Duration WINDOW = Duration.ofDays(7);

  private final TaskCreationRules orders;
  private final ConnectSecrets secrets;
  private final PollRules polls;
  private final int most;

  ConnectorRules(TaskCreationRules orders, ConnectSecrets secrets, PollRules polls, int most) {
    this.orders = orders;
    this.secrets = secrets;
    this.polls = polls;
    this.most = most;
  }

  /** Checks that the caller has the permissions that the connector will use. */
  static void needMaker(Caller caller) {
    TaskCreationRules.needMaker(caller, "connector");
  }

  /** Checks that the tenant has not reached its limit of connectors. */
  void needRoom(Write write, ConnectorStore connectors) {
    TenantLimits.needRoom(
        write, connectors.records(), ConnectorStore.CONNECTOR, ConnectorStore::lives, most);
  }

  /** Validates a connector. */
  void check(Write write, Caller caller, Connector connector) {
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
}
