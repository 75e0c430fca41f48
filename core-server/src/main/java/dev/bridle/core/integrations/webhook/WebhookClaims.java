package dev.bridle.core.integrations.webhook;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Claims due deliveries, so that one process sends them, and removes those that are kept no longer.
 */
final class WebhookClaims {
  private static final int BATCH = 50;

  private final WebhookStore webhooks;
  private final WebhookDeliveryStore deliveries;
  private final WebhookAgenda agenda;
  private final Duration claimTime;

  /**
   * Creates the component.
   *
   * @param claimTime how long a claim lasts
   */
  WebhookClaims(
      WebhookStore webhooks,
      WebhookDeliveryStore deliveries,
      WebhookAgenda agenda,
      Duration claimTime) {
    this.webhooks = webhooks;
    this.deliveries = deliveries;
    this.agenda = agenda;
    this.claimTime = claimTime;
  }

  /**
   * The due deliveries that one read of the agenda has claimed.
   *
   * @param more whether more may be due
   */
  record Claimed(List<WebhookDeliveryRecord> deliveries, boolean more) {
    static final Claimed NONE = new Claimed(List.of(), false);
  }

  /**
   * Claims due deliveries of a webhook. Returns empty if the webhook no longer exists. All attempts
   * of a write claim under one id: where an earlier one was applied although its outcome was
   * unknown, its deliveries are returned.
   *
   * @param most the maximum number of deliveries
   * @param releasing whether claims of a previous process are released first
   */
  Optional<Claimed> claim(Write write, String webhook, int most, boolean releasing) {
    Optional<WebhookRecord> record = webhooks.find(write.tr(), write.tenant(), webhook);
    Optional<WebhookStateRecord> state = webhooks.state(write.tr(), write.tenant(), webhook);
    if (record.isEmpty() || state.isEmpty()) {
      return Optional.empty();
    }
    if (!WebhookStore.lives(record.get())) {
      return Optional.of(new Claimed(List.of(), purge(write, state.get())));
    }
    if (!WebhookStore.sends(record.get())) {
      agenda.settle(write, record.get());
      return Optional.of(Claimed.NONE);
    }
    Optional<String> claim =
        write.attempt() == 1 ? Optional.empty() : Optional.of(write.id("claim"));
    List<WebhookDeliveryRecord> claimed =
        new ArrayList<>(claim.map(id -> claimedBefore(write, webhook, id)).orElse(List.of()));
    if (releasing && claimed.isEmpty()) { // Otherwise the earlier attempt has released them.
      release(write, webhook);
    }
    List<WebhookDeliveryRecord> waiting = new ArrayList<>();
    int others = 0;
    List<WebhookDeliveryRecord> due =
        deliveries.due(write.tr(), write.tenant(), webhook, write.nowMillis(), BATCH);
    for (WebhookDeliveryRecord delivery : due) {
      if (delivery.getDelivery().getStatus()
          != WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING) {
        deliveries.remove(write, delivery);
        others++;
      } else if (Timestamps.toMillis(delivery.getDelivery().getCreatedAt())
          <= state.get().getDroppedUntil()) {
        var unused = agenda.drop(write, delivery);
        others++;
      } else if (claimed.size() + waiting.size() < most) {
        waiting.add(delivery);
      }
    }
    if (!waiting.isEmpty()) {
      String id = claim.orElseGet(() -> write.id("claim"));
      waiting.forEach(delivery -> claimed.add(claim(write, id, delivery)));
    }
    agenda.settle(write, record.get());
    return Optional.of(new Claimed(claimed, others > 0));
  }

  private void release(Write write, String webhook) {
    long now = write.nowMillis();
    long last = until(write);
    // Claimed deliveries are due later than all that are waiting now.
    deliveries.due(write.tr(), write.tenant(), webhook, now, last, BATCH).stream()
        .filter(delivery -> !delivery.getClaim().isEmpty())
        .forEach(
            delivery ->
                deliveries.store(
                    write, delivery, delivery.toBuilder().setDueAt(now).clearClaim().build()));
  }

  /** Returns the deliveries that an earlier attempt of this write has claimed. */
  private List<WebhookDeliveryRecord> claimedBefore(Write write, String webhook, String claim) {
    // All attempts share the time, so what was claimed is due at exactly this one.
    long until = until(write);
    return deliveries.due(write.tr(), write.tenant(), webhook, until, until, BATCH).stream()
        .filter(delivery -> delivery.getClaim().equals(claim))
        .toList();
  }

  private WebhookDeliveryRecord claim(Write write, String claim, WebhookDeliveryRecord delivery) {
    WebhookDeliveryRecord claimed =
        delivery.toBuilder().setClaim(claim).setDueAt(until(write)).build();
    deliveries.store(write, delivery, claimed);
    return claimed;
  }

  private long until(Write write) {
    return write.nowMillis() + claimTime.toMillis();
  }

  /** Removes the deliveries and the state of a deleted webhook, page by page. */
  private boolean purge(Write write, WebhookStateRecord state) {
    List<WebhookDeliveryRecord> rest =
        deliveries.page(write.tr(), write.tenant(), state.getWebhookId(), Optional.empty(), BATCH);
    rest.forEach(delivery -> deliveries.remove(write, delivery));
    if (rest.size() == BATCH) {
      return true;
    }
    webhooks.remove(write.tr(), write.tenant(), state);
    return false;
  }
}
