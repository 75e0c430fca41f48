package dev.bridle.core.connector;

import com.fasterxml.jackson.core.JsonPointer;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.DedupePolicy;
import dev.bridle.core.auth.Caller;
import dev.bridle.core.connector.mapping.Template;
import dev.bridle.core.connector.signature.Preset;
import dev.bridle.core.connector.signature.SignatureScheme;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.task.OrderRules;
import dev.bridle.core.vault.ConnectSecrets;
import dev.bridle.storage.ReadTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a connector must be to work, and what its maker must be allowed to do. */
final class ConnectorRules {
  static final String DELIVERY_ID = "delivery_id";
  static final String EVENT_KIND = "event_kind";

  private static final Duration WINDOW = Duration.ofDays(7);

  private final OrderRules orders;
  private final ConnectSecrets secrets;

  ConnectorRules(OrderRules orders, ConnectSecrets secrets) {
    this.orders = orders;
    this.secrets = secrets;
  }

  /** Checks that a caller may itself do what a connector does. */
  static void needMaker(Caller caller) {
    OrderRules.needMaker(caller, "connector");
  }

  /** Checks that a connector can work. */
  void check(ReadTransaction tr, Caller caller, Connector connector) {
    needMember("webhook", connector.hasWebhook());
    needMember("mapping", connector.hasMapping());
    var scheme = SignatureScheme.of(connector.getWebhook().getSignature());
    if (scheme.isPresent()) {
      secrets.needUsable(
          tr,
          caller,
          connector.getWorkspaceId(),
          connector.getWebhook().getSignature().getSecret(),
          "webhook.signature.secret");
    }
    orders.checkTargets(
        tr,
        caller,
        connector.getWorkspaceId(),
        Optional.of(connector.getTargetPersonaId()).filter(id -> connector.hasTargetPersonaId()),
        Optional.of(connector.getTargetSessionId()).filter(id -> connector.hasTargetSessionId()));
    var unusedKind = eventKind(connector);
    var unusedText = text(connector);
    pointer(dedupe(connector));
  }

  private static void needMember(String name, boolean there) {
    if (!there) {
      throw ProtocolException.invalid(name, "must not be empty");
    }
  }

  /** Returns the template of what kind of thing happened. */
  static Template eventKind(Connector connector) {
    String given = connector.getMapping().getEventKind();
    String text =
        given.isEmpty() ? Preset.of(connector.getWebhook().getSignature()).eventKind() : given;
    return Template.parse("mapping.event_kind", text, List.of(DELIVERY_ID));
  }

  /** Returns the template of the text that a delivery becomes. */
  static Template text(Connector connector) {
    return Template.parse(
        "mapping.text", connector.getMapping().getText(), List.of(DELIVERY_ID, EVENT_KIND));
  }

  /** Returns how deliveries are told apart. */
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

  /** Returns the place of a delivery's id; the whole body's where there is none. */
  static JsonPointer pointer(DedupePolicy policy) {
    try {
      return JsonPointer.compile(policy.getPointer());
    } catch (IllegalArgumentException e) {
      throw ProtocolException.invalid(
          "dedupe_policy.pointer", "is no JSON Pointer; it begins with a slash");
    }
  }
}
