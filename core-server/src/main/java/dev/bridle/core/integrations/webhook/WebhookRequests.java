package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventFeed;
import dev.bridle.core.kernel.outbound.OutboundRequest;
import dev.bridle.core.kernel.visibility.ContentFilter;
import dev.bridle.core.kernel.visibility.Viewer;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.event.v1.Event;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.task.v1.Task;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Builds the requests of deliveries. Each attempt has a new body and signature. */
final class WebhookRequests {
  static final String DELIVERY_HEADER = "x-bridle-delivery";

  private final KeyValueStore store;
  private final WebhookStore webhooks;
  private final EventFeed feed;
  private final TaskStore tasks;
  private final ConnectSecrets secrets;
  private final Supplier<Optional<String>> publicUrl;

  WebhookRequests(
      KeyValueStore store,
      WebhookStore webhooks,
      EventFeed feed,
      TaskStore tasks,
      ConnectSecrets secrets,
      Supplier<Optional<String>> publicUrl) {
    this.store = store;
    this.webhooks = webhooks;
    this.feed = feed;
    this.tasks = tasks;
    this.secrets = secrets;
    this.publicUrl = publicUrl;
  }

  /**
   * A request that is ready to send.
   *
   * @param request the request
   * @param secrets the secrets to redact in logs
   */
  record Prepared(OutboundRequest request, WebhookSecrets secrets) {}

  /** The body of a request and the secret to sign it with. */
  private record BodyAndSecret(WebhookBody body, Optional<String> secret) {
    @Override
    public String toString() {
      return body.toString();
    }
  }

  /**
   * Builds the request of a delivery.
   *
   * @param seconds the time, in Unix seconds
   * @throws UnsentException if no request can be built
   */
  Prepared prepare(String tenant, String webhook, WebhookDelivery delivery, long seconds) {
    BodyAndSecret content = store.read(tr -> content(tr, tenant, webhook, delivery));
    byte[] body = content.body().bytes();
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("content-type", "application/json");
    headers.put("user-agent", "bridle");
    headers.put(DELIVERY_HEADER, delivery.getId());
    content
        .secret()
        .ifPresent(
            secret ->
                headers.put(WebhookSignature.HEADER, WebhookSignature.of(secret, seconds, body)));
    return new Prepared(
        new OutboundRequest(OutboundRequest.Method.POST, content.body().url(), headers, body),
        WebhookSecrets.of(content.body().webhook(), content.secret()));
  }

  private BodyAndSecret content(
      ReadTransaction tr, String tenant, String id, WebhookDelivery delivery) {
    Webhook webhook =
        webhooks
            .find(tr, tenant, id)
            .map(WebhookRecord::getWebhook)
            .orElseThrow(() -> new UnsentException("webhook_gone", "The webhook is gone.", false));
    Event event =
        delivery.hasEventId()
            ? feed.find(tr, tenant, delivery.getEventId())
                .orElseThrow(
                    () ->
                        new UnsentException(
                            "event_gone", "The event is no longer retained.", false))
            : WebhookBody.test(delivery, webhook);
    Optional<Task> task =
        event.hasTaskId()
            ? tasks
                .find(tr, tenant, event.getTaskId())
                .map(
                    record ->
                        ContentFilter.shown(tasks.resource(tr, tenant, record), Viewer.ANYONE))
            : Optional.empty();
    return new BodyAndSecret(
        new WebhookBody(webhook, delivery, event, task, publicUrl.get()),
        secret(tr, tenant, webhook));
  }

  private Optional<String> secret(ReadTransaction tr, String tenant, Webhook webhook) {
    if (!webhook.hasSecret()) {
      return Optional.empty();
    }
    try {
      return Optional.of(secrets.open(tr, tenant, webhook.getSecret()).value());
    } catch (ProtocolException e) {
      throw new UnsentException(
          "secret_unavailable", "The secret that signs deliveries does not exist.", true);
    }
  }
}
