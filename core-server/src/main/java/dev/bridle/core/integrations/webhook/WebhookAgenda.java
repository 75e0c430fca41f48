package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import java.time.Duration;

/**
 * Keeps the due time of webhooks equal to that of their first delivery, and applies the retention
 * of deliveries.
 */
final class WebhookAgenda {
  private static final Duration DONE_KEPT = Duration.ofDays(7);
  private static final Duration DEAD_KEPT = Duration.ofDays(30);

  private final WebhookStore webhooks;
  private final WebhookDeliveryStore deliveries;

  WebhookAgenda(WebhookStore webhooks, WebhookDeliveryStore deliveries) {
    this.webhooks = webhooks;
    this.deliveries = deliveries;
  }

  /**
   * Sets a webhook's entry in the due index to the time of its first delivery, while it is active.
   */
  void settle(Write write, WebhookRecord webhook) {
    String id = webhook.getWebhook().getId();
    webhooks
        .state(write.tr(), write.tenant(), id)
        .ifPresent(
            state ->
                webhooks.update(
                    write.tr(),
                    write.tenant(),
                    state,
                    state.toBuilder().setDueAt(dueAt(write, webhook)).build()));
  }

  private long dueAt(Write write, WebhookRecord webhook) {
    if (!WebhookStore.lives(webhook)) {
      return write.nowMillis();
    }
    return WebhookStore.sends(webhook)
        ? deliveries.nextAt(write.tr(), write.tenant(), webhook.getWebhook().getId())
        : 0;
  }

  /** Ends a delivery that will not be sent. */
  WebhookDeliveryRecord drop(Write write, WebhookDeliveryRecord before) {
    return end(
        write, before, before, WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DROPPED, DONE_KEPT);
  }

  /** Ends a delivery that was accepted. */
  void taken(Write write, WebhookDeliveryRecord before, WebhookDeliveryRecord tried) {
    var unused =
        end(
            write,
            before,
            tried,
            WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED,
            DONE_KEPT);
  }

  /** Ends a delivery that has failed for good, and keeps it as a dead letter. */
  void giveUp(Write write, WebhookDeliveryRecord before, WebhookDeliveryRecord tried) {
    var unused =
        end(write, before, tried, WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_FAILED, DEAD_KEPT);
  }

  private WebhookDeliveryRecord end(
      Write write,
      WebhookDeliveryRecord before,
      WebhookDeliveryRecord tried,
      WebhookDeliveryStatus status,
      Duration kept) {
    return deliveries.end(
        write,
        before,
        tried.getDelivery().toBuilder().setStatus(status).build(),
        write.nowMillis() + kept.toMillis());
  }
}
