package dev.bridle.core.integrations.webhook;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.outbound.OutboundCalls;
import dev.bridle.core.kernel.outbound.OutboundException;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.webhook.v1.WebhookAttempt;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends claimed deliveries, and stores the result of each attempt under the delivery's claim. */
final class WebhookSender {
  private static final Logger log = LoggerFactory.getLogger(WebhookSender.class);

  private final CoreContext context;
  private final WebhookRequests requests;
  private final WebhookResults results;
  private final OutboundCalls calls;

  WebhookSender(
      CoreContext context, WebhookRequests requests, WebhookResults results, OutboundCalls calls) {
    this.context = context;
    this.requests = requests;
    this.results = results;
    this.calls = calls;
  }

  /**
   * Sends a delivery. Where its result can't be stored, it is sent again when its claim expires.
   *
   * @param done runs once the attempt has ended
   */
  void send(String tenant, WebhookDeliveryRecord delivery, Runnable done) {
    String webhook = delivery.getDelivery().getWebhookId();
    long began = context.clock().millis();
    Attempt attempt =
        new Attempt(
            tenant,
            delivery,
            WebhookAttempt.newBuilder().setAt(Timestamps.fromMillis(began)),
            done);
    try {
      WebhookRequests.Prepared prepared =
          requests.prepare(tenant, webhook, delivery.getDelivery(), began / 1000);
      attempt.result().setRequestBytes(prepared.request().body().length);
      var unused =
          calls
              .send(prepared.request())
              .whenComplete(
                  (answer, failure) ->
                      answered(
                          attempt,
                          () ->
                              answer != null
                                  ? WebhookResult.of(answer, prepared.secrets(), attempt.result())
                                  : WebhookResult.of(outbound(failure), attempt.result())));
    } catch (UnsentException e) {
      store(attempt, WebhookResult.of(e, attempt.result()));
    } catch (OutboundException e) {
      store(attempt, WebhookResult.of(e, attempt.result()));
    } catch (RuntimeException e) {
      FailureLog.warn(log, "A delivery of webhook " + webhook + " is delayed.", e);
      done.run();
    }
  }

  /** A running attempt of a delivery. */
  private record Attempt(
      String tenant,
      WebhookDeliveryRecord delivery,
      WebhookAttempt.Builder result,
      Runnable done) {}

  private void answered(Attempt attempt, Supplier<WebhookResult> result) {
    try {
      context.environment().background().execute(() -> store(attempt, result.get()));
    } catch (RejectedExecutionException e) {
      attempt.done().run(); // The server stops.
    }
  }

  private static OutboundException outbound(Throwable failure) {
    return (OutboundException)
        (failure instanceof CompletionException ? failure.getCause() : failure);
  }

  private void store(Attempt attempt, WebhookResult result) {
    WebhookAttempt.Builder ended = attempt.result();
    long took = context.clock().millis() - Timestamps.toMillis(ended.getAt());
    ended.setDurationMs(Math.max(0, took));
    try {
      var unused =
          WebhookEndpoints.fenced(
              context,
              attempt.tenant(),
              write -> {
                results.store(write, attempt.delivery(), ended.build(), result);
                return true;
              });
    } catch (RuntimeException e) {
      FailureLog.warn(log, "The result of a delivery was not stored; it is sent again.", e);
    } finally {
      attempt.done().run();
    }
  }
}
