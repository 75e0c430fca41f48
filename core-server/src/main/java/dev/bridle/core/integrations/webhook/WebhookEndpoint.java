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
 * One webhook's part of this process. A delivery is claimed before it is sent, and what came of it
 * is stored under that claim; a claim that runs out lets another process send it again, so each is
 * sent at least once. The slots are the webhook's own, so that a slow one holds up no other.
 */
final class WebhookEndpoint {
  private static final Logger log = LoggerFactory.getLogger(WebhookEndpoint.class);
  private static final int BATCH = 50;

  private final String tenant;
  private final String id;
  private final Means means;
  private final Semaphore slots;
  private final Semaphore ofTenant;
  private final Runnable gone;
  private final CoalescingTask rounds;

  /** Whether claims may be there that a process before this one left. */
  private boolean leftClaims;

  /**
   * What all webhooks are sent with.
   *
   * @param context what all features share
   * @param webhooks webhooks
   * @param deliveries what they send
   * @param requests makes requests of deliveries
   * @param agenda what is sent when
   * @param results stores what came of deliveries
   * @param calls calls out
   */
  record Means(
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
          .fenced(FencedWrite.WORK_WEBHOOK, tenant, WebhookSending.ACTOR, work);
    }
  }

  /**
   * Makes the part of one webhook.
   *
   * @param ofTenant what all webhooks of the tenant share
   * @param gone is told once there is no such webhook
   */
  WebhookEndpoint(String tenant, String id, Means means, Semaphore ofTenant, Runnable gone) {
    this.tenant = tenant;
    this.id = id;
    this.means = means;
    this.slots = new Semaphore(means.options().slots());
    this.ofTenant = ofTenant;
    this.gone = gone;
    this.leftClaims = means.context().environment().exclusive();
    this.rounds =
        new CoalescingTask(
            means.context().environment().background(),
            this::round,
            failure ->
                FailureLog.warn(
                    log, "Deliveries of webhook " + id + " wait; tried again soon.", failure));
  }

  /** Sends what is due, soon. */
  void wake() {
    rounds.schedule();
  }

  /** What one look at the agenda found to do. */
  private record Found(List<WebhookDeliveryRecord> claimed, boolean more) {
    static final Found NOTHING = new Found(List.of(), false);
  }

  private boolean round() {
    int free = 0;
    while (free < means.options().slots() && slots.tryAcquire()) {
      if (!ofTenant.tryAcquire()) {
        slots.release();
        break;
      }
      free++;
    }
    int taken = 0;
    try {
      int most = free;
      Found found = means.fenced(tenant, write -> find(write, most));
      leftClaims = false;
      for (WebhookDeliveryRecord delivery : found.claimed()) {
        means.context().environment().background().execute(() -> send(delivery));
        taken++;
      }
      return found.more();
    } catch (RejectedExecutionException e) {
      return false; // The server stops; the claims run out, and they are sent at its next start.
    } finally {
      slots.release(free - taken);
      ofTenant.release(free - taken);
    }
  }

  private Found find(Write write, int most) {
    Optional<WebhookRecord> record = means.webhooks().find(write.tr(), tenant, id);
    Optional<WebhookStateRecord> state = means.webhooks().state(write.tr(), tenant, id);
    if (record.isEmpty() || state.isEmpty()) {
      gone.run();
      return Found.NOTHING;
    }
    if (!WebhookStore.lives(record.get())) {
      return new Found(List.of(), purge(write, state.get()));
    }
    if (!WebhookStore.sends(record.get())) {
      means.agenda().settle(write, record.get());
      return Found.NOTHING;
    }
    if (leftClaims) {
      freeClaims(write);
    }
    List<WebhookDeliveryRecord> claimed = new ArrayList<>();
    int others = 0;
    List<WebhookDeliveryRecord> due =
        means.deliveries().due(write.tr(), tenant, id, write.nowMillis(), BATCH);
    for (WebhookDeliveryRecord delivery : due) {
      if (delivery.getDelivery().getStatus()
          != WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING) {
        means.deliveries().remove(write, delivery);
        others++;
      } else if (Timestamps.toMillis(delivery.getDelivery().getCreatedAt())
          <= state.get().getDroppedUntil()) {
        var unused = means.agenda().drop(write, delivery);
        others++;
      } else if (claimed.size() < most) {
        claimed.add(claim(write, delivery));
      }
    }
    means.agenda().settle(write, record.get());
    return new Found(claimed, others > 0);
  }

  private void freeClaims(Write write) {
    long last = write.nowMillis() + means.options().claimTime().toMillis();
    // What was claimed is due later than all that waits by now, however much that is.
    means.deliveries().due(write.tr(), tenant, id, write.nowMillis(), last, BATCH).stream()
        .filter(delivery -> !delivery.getClaim().isEmpty())
        .forEach(
            delivery ->
                means
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
            .setDueAt(write.nowMillis() + means.options().claimTime().toMillis())
            .build();
    means.deliveries().store(write, delivery, claimed);
    return claimed;
  }

  /** Removes what is left of a deleted webhook, piece by piece. */
  private boolean purge(Write write, WebhookStateRecord state) {
    List<WebhookDeliveryRecord> rest =
        means.deliveries().page(write.tr(), tenant, id, Optional.empty(), BATCH);
    rest.forEach(delivery -> means.deliveries().remove(write, delivery));
    if (rest.size() == BATCH) {
      return true;
    }
    means.webhooks().remove(write.tr(), tenant, state);
    return false;
  }

  private void send(WebhookDeliveryRecord delivery) {
    long began = means.context().clock().millis();
    WebhookAttempt.Builder attempt =
        WebhookAttempt.newBuilder().setAt(Timestamps.fromMillis(began));
    try {
      WebhookRequests.Prepared prepared =
          means.requests().of(tenant, id, delivery.getDelivery(), began / 1000);
      attempt.setRequestBytes(prepared.request().body().length);
      var unused =
          means
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
      release(); // The claim runs out, and it is sent then.
      FailureLog.warn(log, "A delivery of webhook " + id + " waits.", e);
    }
  }

  private void answered(
      WebhookDeliveryRecord delivery,
      WebhookAttempt.Builder attempt,
      Supplier<WebhookResult> result) {
    try {
      means
          .context()
          .environment()
          .background()
          .execute(() -> done(delivery, attempt, result.get()));
    } catch (RejectedExecutionException e) {
      release(); // The server stops; the claim runs out, and it is sent again.
    }
  }

  private static OutboundException outbound(Throwable failure) {
    return (OutboundException)
        (failure instanceof CompletionException ? failure.getCause() : failure);
  }

  private void done(
      WebhookDeliveryRecord delivery, WebhookAttempt.Builder attempt, WebhookResult result) {
    long took = means.context().clock().millis() - Timestamps.toMillis(attempt.getAt());
    attempt.setDurationMs(Math.max(0, took));
    try {
      var unused =
          means.fenced(
              tenant,
              write -> {
                means.results().store(write, delivery, attempt.build(), result);
                return true;
              });
    } catch (RuntimeException e) {
      FailureLog.warn(log, "What came of a delivery was not stored; it is sent again.", e);
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
