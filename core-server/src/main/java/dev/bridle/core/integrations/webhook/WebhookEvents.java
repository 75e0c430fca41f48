package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookStatus;

/**
 * Appends events of webhooks, each to the webhook's stream. URLs are omitted, since many are
 * secrets.
 */
final class WebhookEvents {
  private final Events events;

  WebhookEvents(Events events) {
    this.events = events;
  }

  void append(Write write, Webhook webhook, EventDraft draft) {
    var unused =
        events.ofResource(
            write, webhook.getWorkspaceId(), WebhookStore.WEBHOOK.name(), webhook.getId(), draft);
  }

  /** Returns the members of a webhook without its URL. */
  static Payload facts(Webhook webhook) {
    return Members.createdFacts(webhook.toBuilder().clearUrl().build());
  }

  static String spell(WebhookStatus status) {
    return status.name().substring("WEBHOOK_STATUS_".length());
  }
}
