package dev.bridle.core.integrations.webhook;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.outbound.OutboundCalls;
import dev.bridle.core.kernel.outbound.OutboundException;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.webhook.v1.WebhookAttempt;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the deliveries of one webhook. A delivery is claimed before it is sent, and its result is
 * stored under that claim. After a claim has expired another process may send the delivery again,
 * so each is sent at least once. Each webhook has its own slots, so that a slow one does not block
 * others.
 */
final class WebhookEndpoint {
  private static final Logger log = LoggerFactory.getLogger(WebhookEndpoint.class);
  private static final int BATCH = 50;

  private final String tenant;
  private final String id;
  private final Dependencies dependencies;
  private final Semaphore slots;
  private final Semaphore ofTenant;
  private final Runnable gone;
  private final CoalescingTask rounds;

  /** Whether there may be claims of a previous process. */
  private boolean leftClaims;

  /**
   * What endpoints need.
   *
   * @param context the shared services
   * @param webhooks stores webhooks
   * @param deliveries stores their deliveries
   * @param requests builds requests
   * @param agenda schedules deliveries
   * @param results stores results of attempts
   * @param calls sends requests
   */
  record Dependencies(
      CoreContext context,
      WebhookStore webhooks,
      WebhookDeliveryStore deliveries,
      WebhookRequests requests,
      WebhookAgenda agenda,
      WebhookResults results,
      OutboundCalls calls) {
    WebhookOptions options() {
      return context.settings(WebhookOptions.class);
    }

    <T> T fenced(String tenant, Function<Write, T> work) {
      return context
          .commands()
          .fenced(FencedWrite.WORK_WEBHOOK, tenant, WebhookEndpoints.ACTOR, work);
    }
  }

  /**
   * Creates the endpoint of one webhook.
   *
   * @param ofTenant the slots that all webhooks of the tenant share
   * @param gone runs when the webhook no longer exists
   */
  WebhookEndpoint(
      String tenant, String id, Dependencies dependencies, Semaphore ofTenant, Runnable gone) {
    this.tenant = tenant;
    this.id = id;
    this.dependencies = dependencies;
    this.slots = new Semaphore(dependencies.options().slots());
    this.ofTenant = ofTenant;
    this.gone = gone;
    this.leftClaims = dependencies.context().environment().exclusive();
    this.rounds =
        new CoalescingTask(
            dependencies.context().environment().background(),
            this::round,
            failure ->
                FailureLog.warn(
                    log, "Deliveries of webhook " + id + " are delayed; retrying soon.", failure));
  }

  /** Schedules the sending of due deliveries. */
  void wake() {
    rounds.schedule();
  }

  /** The due deliveries that one read of the agenda has claimed. */
  private record Found(List<WebhookDeliveryRecord> claimed, boolean more) {
    static final Found NOTHING = new Found(List.of(), false);
  }

  private boolean round() {
    int free = 0;
    while (free < dependencies.options().slots() && slots.tryAcquire()) {
      if (!ofTenant.tryAcquire()) {
        slots.release();
        break;
      }
      free++;
    }
    int taken = 0;
    try {
      int most = free;
      Found found = dependencies.fenced(tenant, write -> find(write, most));
      leftClaims = false;
      for (WebhookDeliveryRecord delivery : found.claimed()) {
        dependencies.context().environment().background().execute(() -> send(delivery));
        taken++;
      }
      return found.more();
    } catch (RejectedExecutionException e) {
      return false; // The server stops; they are sent at its next start or when the claims expire.
    } finally {
      slots.release(free - taken);
      ofTenant.release(free - taken);
    }
  }

  private Found find(Write write, int most) {
    Optional<WebhookRecord> record = dependencies.webhooks().find(write.tr(), tenant, id);
    Optional<WebhookStateRecord> state = dependencies.webhooks().state(write.tr(), tenant, id);
    if (record.isEmpty() || state.isEmpty()) {
      gone.run();
      return Found.NOTHING;
    }
    if (!WebhookStore.lives(record.get())) {
      return new Found(List.of(), purge(write, state.get()));
    }
    if (!WebhookStore.sends(record.get())) {
      dependencies.agenda().settle(write, record.get());
      return Found.NOTHING;
    }
    if (leftClaims) {
      releaseClaims(write);
    }
    List<WebhookDeliveryRecord> claimed = new ArrayList<>();
    int others = 0;
    List<WebhookDeliveryRecord> due =
        dependencies.deliveries().due(write.tr(), tenant, id, write.nowMillis(), BATCH);
    for (WebhookDeliveryRecord delivery : due) {
      if (delivery.getDelivery().getStatus()
          != WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING) {
        dependencies.deliveries().remove(write, delivery);
        others++;
      } else if (Timestamps.toMillis(delivery.getDelivery().getCreatedAt())
          <= state.get().getDroppedUntil()) {
        var unused = dependencies.agenda().drop(write, delivery);
        others++;
      } else if (claimed.size() < most) {
        claimed.add(claim(write, delivery));
      }
    }
    dependencies.agenda().settle(write, record.get());
    return new Found(claimed, others > 0);
  }

  private void releaseClaims(Write write) {
    long last = write.nowMillis() + dependencies.options().claimTime().toMillis();
    // Claimed deliveries are due later than all that are waiting now.
    dependencies.deliveries().due(write.tr(), tenant, id, write.nowMillis(), last, BATCH).stream()
        .filter(delivery -> !delivery.getClaim().isEmpty())
        .forEach(
            delivery ->
                dependencies
                    .deliveries()
                    .store(
                        write,
                        delivery,
                        delivery.toBuilder().setDueAt(write.nowMillis()).clearClaim().build()));
  }

  private WebhookDeliveryRecord claim(Write write, WebhookDeliveryRecord delivery) {
    WebhookDeliveryRecord claimed =
        delivery.toBuilder()
            .setClaim(write.id("claim"))
            .setDueAt(write.nowMillis() + dependencies.options().claimTime().toMillis())
            .build();
    dependencies.deliveries().store(write, delivery, claimed);
    return claimed;
  }

  /** Removes the deliveries and the state of a deleted webhook, page by page. */
  private boolean purge(Write write, WebhookStateRecord state) {
    List<WebhookDeliveryRecord> rest =
        dependencies.deliveries().page(write.tr(), tenant, id, Optional.empty(), BATCH);
    rest.forEach(delivery -> dependencies.deliveries().remove(write, delivery));
    if (rest.size() == BATCH) {
      return true;
    }
    dependencies.webhooks().remove(write.tr(), tenant, state);
    return false;
  }

  private void send(WebhookDeliveryRecord delivery) {
    long began = dependencies.context().clock().millis();
    WebhookAttempt.Builder attempt =
        WebhookAttempt.newBuilder().setAt(Timestamps.fromMillis(began));
    try {
      WebhookRequests.Prepared prepared =
          dependencies.requests().prepare(tenant, id, delivery.getDelivery(), began / 1000);
      attempt.setRequestBytes(prepared.request().body().length);
      var unused =
          dependencies
              .calls()
              .send(prepared.request())
              .whenComplete(
                  (answer, failure) ->
                      answered(
                          delivery,
                          attempt,
                          () ->
                              answer != null
                                  ? WebhookResult.of(answer, prepared.secrets(), attempt)
                                  : WebhookResult.of(outbound(failure), attempt)));
    } catch (UnsentException e) {
      done(delivery, attempt, WebhookResult.of(e, attempt));
    } catch (OutboundException e) {
      done(delivery, attempt, WebhookResult.of(e, attempt));
    } catch (RuntimeException e) {
      release(); // It is sent when the claim expires.
      FailureLog.warn(log, "A delivery of webhook " + id + " is delayed.", e);
    }
  }

  private void answered(
      WebhookDeliveryRecord delivery,
      WebhookAttempt.Builder attempt,
      Supplier<WebhookResult> result) {
    try {
      dependencies
          .context()
          .environment()
          .background()
          .execute(() -> done(delivery, attempt, result.get()));
    } catch (RejectedExecutionException e) {
      release(); // The server stops; it is sent again when the claim expires.
    }
  }

  private static OutboundException outbound(Throwable failure) {
    return (OutboundException)
        (failure instanceof CompletionException ? failure.getCause() : failure);
  }

  private void done(
      WebhookDeliveryRecord delivery, WebhookAttempt.Builder attempt, WebhookResult result) {
    long took = dependencies.context().clock().millis() - Timestamps.toMillis(attempt.getAt());
    attempt.setDurationMs(Math.max(0, took));
    try {
      var unused =
          dependencies.fenced(
              tenant,
              write -> {
                dependencies.results().store(write, delivery, attempt.build(), result);
                return true;
              });
    } catch (RuntimeException e) {
      FailureLog.warn(log, "The result of a delivery was not stored; it is sent again.", e);
    } finally {
      release();
    }
    try {
      wake();
    } catch (RejectedExecutionException e) {
      gone.run(); // The server stops; it is due at the next start.
    }
  }

  private void release() {
    slots.release();
    ofTenant.release();
  }
}
