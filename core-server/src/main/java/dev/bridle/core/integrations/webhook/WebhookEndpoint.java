package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
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

  private final CoreContext context;
  private final WebhookClaims claims;
  private final WebhookSender sender;
  private final String tenant;
  private final String id;
  private final int slotCount;
  private final Semaphore slots;
  private final Semaphore ofTenant;
  private final Runnable gone;
  private final CoalescingTask rounds;

  /** Whether there may be claims of a previous process. */
  private boolean leftClaims;

  /**
   * Creates the endpoint of one webhook.
   *
   * @param ofTenant the slots that all webhooks of the tenant share
   * @param gone runs when the webhook no longer exists
   */
  WebhookEndpoint(
      CoreContext context,
      WebhookClaims claims,
      WebhookSender sender,
      String tenant,
      String id,
      Semaphore ofTenant,
      Runnable gone) {
    this.context = context;
    this.claims = claims;
    this.sender = sender;
    this.tenant = tenant;
    this.id = id;
    this.slotCount = context.settings(WebhookOptions.class).slots();
    this.slots = new Semaphore(slotCount);
    this.ofTenant = ofTenant;
    this.gone = gone;
    this.leftClaims = context.environment().exclusive();
    this.rounds =
        new CoalescingTask(
            context.environment().background(),
            this::round,
            failure ->
                FailureLog.warn(
                    log, "Deliveries of webhook " + id + " are delayed; retrying soon.", failure));
  }

  /** Schedules the sending of due deliveries. */
  void wake() {
    rounds.schedule();
  }

  private boolean round() {
    int free = 0;
    while (free < slotCount && slots.tryAcquire()) {
      if (!ofTenant.tryAcquire()) {
        slots.release();
        break;
      }
      free++;
    }
    int taken = 0;
    try {
      int most = free;
      Optional<WebhookClaims.Claimed> claimed =
          WebhookEndpoints.fenced(
              context, tenant, write -> claims.claim(write, id, most, leftClaims));
      leftClaims = false;
      if (claimed.isEmpty()) {
        gone.run();
        return false;
      }
      for (WebhookDeliveryRecord delivery : claimed.get().deliveries()) {
        context.environment().background().execute(() -> sender.send(tenant, delivery, this::sent));
        taken++;
      }
      return claimed.get().more();
    } catch (RejectedExecutionException e) {
      return false; // The server stops; they are sent at its next start or when the claims expire.
    } finally {
      slots.release(free - taken);
      ofTenant.release(free - taken);
    }
  }

  private void sent() {
    release();
    try {
      wake();
    } catch (RejectedExecutionException e) {
      gone.run(); // The server stops; the webhook is due at the next start.
    }
  }

  private void release() {
    slots.release();
    ofTenant.release();
  }
}
