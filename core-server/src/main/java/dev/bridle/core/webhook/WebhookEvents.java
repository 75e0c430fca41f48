package dev.bridle.core.webhook;

import dev.bridle.core.command.Write;
import dev.bridle.core.event.EventDraft;
import dev.bridle.core.event.Events;
import dev.bridle.core.event.Payload;
import dev.bridle.core.record.RecordKind;
import dev.bridle.core.resource.Members;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookStatus;

/** Tells what happens to webhooks, each in its own stream. URLs are left out: many are secrets. */
final class WebhookEvents {
  private final Events events;

  WebhookEvents(Events events) {
    this.events = events;
  }

  void tell(Write write, Webhook webhook, EventDraft draft) {
    var unused =
        events.ofResource(
            write,
            webhook.getWorkspaceId(),
            "",
            RecordKind.WEBHOOK.name(),
            webhook.getId(),
            webhook.getId(),
            draft);
  }

  /** Returns the facts of a webhook without its URL. */
  static Payload facts(Webhook webhook) {
    return Members.told(webhook.toBuilder().clearUrl().build());
  }

  static String spell(WebhookStatus status) {
    return status.name().substring("WEBHOOK_STATUS_".length());
  }
}
