package dev.bridle.core.integrations.webhook;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookAttempt;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Stores results of attempts and their consequences: a retry, the end of the delivery, or a pause
 * of the webhook.
 */
final class WebhookResults {
  private static final int ATTEMPTS_KEPT = 5;

  private final WebhookStore webhooks;
  private final WebhookDeliveryStore deliveries;
  private final WebhookAgenda agenda;
  private final WebhookEvents events;
  private final WebhookOptions options;
  private final RandomGenerator random;
  private final RedactionStore redactions;

  WebhookResults(
      WebhookStore webhooks,
      WebhookDeliveryStore deliveries,
      WebhookAgenda agenda,
      WebhookEvents events,
      WebhookOptions options,
      RandomGenerator random,
      RedactionStore redactions) {
    this.webhooks = webhooks;
    this.deliveries = deliveries;
    this.agenda = agenda;
    this.events = events;
    this.options = options;
    this.random = random;
    this.redactions = redactions;
  }

  /** Stores the result of an attempt, unless its claim has expired. */
  void store(
      Write write, WebhookDeliveryRecord claimed, WebhookAttempt attempt, WebhookResult result) {
    String id = claimed.getDelivery().getWebhookId();
    webhooks
        .find(write.tr(), write.tenant(), id)
        .filter(WebhookStore::lives)
        .ifPresent(
            webhook ->
                deliveries
                    .find(write.tr(), write.tenant(), id, claimed.getDelivery().getId())
                    .filter(now -> now.getClaim().equals(claimed.getClaim()))
                    .ifPresent(now -> store(write, webhook, now, attempt, result)));
  }

  private void store(
      Write write,
      WebhookRecord webhook,
      WebhookDeliveryRecord before,
      WebhookAttempt told,
      WebhookResult result) {
    WebhookAttempt attempt = withoutRedacted(write, before.getDelivery(), told);
    WebhookRecord after = webhook;
    if (!result.sent()) {
      deliveries.store(write, before, later(write, before, options.firstWait()));
    } else if (result.accepted()) {
      agenda.taken(write, before, tried(before, attempt, 0));
      took(write, webhook);
    } else {
      after = failed(write, webhook, before, tried(before, attempt, 1), result);
    }
    agenda.settle(write, after);
  }

  /** What was sent may have been redacted meanwhile, and the answer may repeat it. */
  private WebhookAttempt withoutRedacted(
      Write write, WebhookDelivery delivery, WebhookAttempt attempt) {
    boolean redacted =
        attempt.hasAnswer()
            && redactions
                .ofDelivery(write.tr(), write.tenant(), delivery.getEventId(), delivery.getTaskId())
                .isPresent();
    return redacted ? attempt.toBuilder().clearAnswer().build() : attempt;
  }

  private static WebhookDeliveryRecord tried(
      WebhookDeliveryRecord before, WebhookAttempt attempt, int failures) {
    WebhookDelivery delivery = before.getDelivery();
    List<WebhookAttempt> kept = new ArrayList<>(delivery.getAttemptsList());
    kept.add(attempt);
    return before.toBuilder()
        .setDelivery(
            delivery.toBuilder()
                .setFailures(delivery.getFailures() + failures)
                .clearAttempts()
                .addAllAttempts(
                    kept.subList(Math.max(0, kept.size() - ATTEMPTS_KEPT), kept.size())))
        .build();
  }

  private void took(Write write, WebhookRecord webhook) {
    webhooks
        .state(write.tr(), write.tenant(), webhook.getWebhook().getId())
        .ifPresent(
            state ->
                webhooks.update(
                    write.tr(),
                    write.tenant(),
                    state,
                    state.toBuilder().setTakenAt(write.nowMillis()).build()));
  }

  private WebhookRecord failed(
      Write write,
      WebhookRecord webhook,
      WebhookDeliveryRecord before,
      WebhookDeliveryRecord tried,
      WebhookResult result) {
    Duration wait = pause(tried.getDelivery().getFailures(), result.pause());
    boolean over = write.nowMillis() + wait.toMillis() > before.getGiveUpAt();
    if (result.retryable() && !over) {
      deliveries.store(write, before, later(write, tried, wait));
      return webhook;
    }
    agenda.giveUp(write, before, tried);
    return result.retryable() && onlyFails(write, webhook, before)
        ? paused(write, webhook, before.getDelivery().getId())
        : webhook;
  }

  /**
   * Returns whether a webhook has accepted nothing since a delivery was created that now fails for
   * good.
   */
  private boolean onlyFails(Write write, WebhookRecord webhook, WebhookDeliveryRecord dead) {
    long made = Timestamps.toMillis(dead.getDelivery().getCreatedAt());
    return WebhookStore.sends(webhook)
        && webhooks
            .state(write.tr(), write.tenant(), webhook.getWebhook().getId())
            .map(WebhookStateRecord::getTakenAt)
            .filter(taken -> taken >= made)
            .isEmpty();
  }

  private WebhookRecord paused(Write write, WebhookRecord webhook, String delivery) {
    Webhook paused =
        webhook.getWebhook().toBuilder()
            .setStatus(WebhookStatus.WEBHOOK_STATUS_FAILED)
            .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
            .build();
    WebhookRecord after = webhook.toBuilder().setWebhook(paused).build();
    webhooks.update(write, webhook, after);
    events.append(
        write,
        paused,
        EventDraft.of(
            EventKinds.WEBHOOK_PAUSED,
            Payload.of()
                .text("status", WebhookEvents.spell(paused.getStatus()))
                .text("delivery_id", delivery)
                .number("retry_seconds", paused.getRetrySeconds())));
    return after;
  }

  private static WebhookDeliveryRecord later(
      Write write, WebhookDeliveryRecord record, Duration wait) {
    long at = write.nowMillis() + wait.toMillis();
    WebhookDeliveryRecord.Builder later = record.toBuilder().setDueAt(at).clearClaim();
    later
        .getDeliveryBuilder()
        .setNextAttemptAt(Timestamps.fromMillis(at))
        .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
    return later.build();
  }

  /** Returns the delay of a retry. It doubles with each failure, with up to 50 % jitter. */
  private Duration pause(int failures, Duration asked) {
    long doubled = options.firstWait().toMillis() << Math.min(failures - 1, 16);
    long bounded = Math.min(doubled, options.longestWait().toMillis());
    long chosen = bounded / 2 + random.nextLong(bounded / 2 + 1);
    return Duration.ofMillis(Math.max(chosen, asked.toMillis()));
  }
}
