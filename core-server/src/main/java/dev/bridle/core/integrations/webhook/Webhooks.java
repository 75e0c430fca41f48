package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventFeed;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.ResourceService;
import dev.bridle.core.work.redaction.CopyEraser;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.WakeKeys;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import io.grpc.BindableService;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/** Wires up the webhooks feature. */
public final class Webhooks {
  private final WebhookPump pump;
  private final WebhookEndpoints endpoints;
  private final BindableService service;
  private final CopyEraser copies;

  private Webhooks(
      WebhookPump pump, WebhookEndpoints endpoints, BindableService service, CopyEraser copies) {
    this.copies = copies;
    this.pump = pump;
    this.endpoints = endpoints;
    this.service = service;
  }

  /**
   * Creates the feature.
   *
   * @param client checks URLs and sends requests
   * @param publicUrl the server's public URL, once that is known
   */
  public static Webhooks in(
      CoreContext context, OutboundClient client, Supplier<Optional<String>> publicUrl) {
    WebhookOptions options = context.settings(WebhookOptions.class);
    WebhookStore webhooks = new WebhookStore(context.layout(), context.due());
    WebhookDeliveryStore deliveries = new WebhookDeliveryStore(context.layout());
    WebhookEvents webhookEvents = new WebhookEvents(context.events());
    WebhookAgenda agenda = new WebhookAgenda(webhooks, deliveries);
    ConnectSecrets secrets = new ConnectSecrets(context);
    TaskStore tasks = new TaskStore(context.layout());
    EventFeed feed = new EventFeed(context.log(), new WakeKeys(context.layout()));
    WebhookResults results =
        new WebhookResults(
            webhooks,
            deliveries,
            agenda,
            webhookEvents,
            options,
            context.environment().random(),
            new RedactionStore(context.layout()));
    WebhookRequests requests =
        new WebhookRequests(context.store(), webhooks, feed, tasks, secrets, publicUrl);
    WebhookEndpoints endpoints =
        new WebhookEndpoints(
            context,
            webhooks,
            new WebhookClaims(webhooks, deliveries, agenda, options.claimTime()),
            new WebhookSender(
                context, requests, results, context.environment().calls().apply(client)));
    WebhookPump pump = new WebhookPump(context, webhooks, endpoints);
    WebhookRules rules =
        new WebhookRules(
            context,
            client,
            secrets,
            webhooks,
            feed,
            agenda,
            (tenant, id) -> {
              pump.wake(tenant);
              endpoints.wake(tenant, id);
            });
    ResourceDef<WebhookRecord, Webhook> resource =
        ResourceDef.of(
                WebhookStore.WEBHOOK,
                WebhookServiceGrpc.getServiceDescriptor(),
                Webhook.getDefaultInstance(),
                WebhookRecord::getWebhook,
                rules)
            .with(rules.actions())
            .with(
                new WebhookDeliveries(
                        context, webhooks, deliveries, webhookEvents, agenda, endpoints)
                    .calls());
    return new Webhooks(
        pump,
        endpoints,
        new ResourceService<>(context, resource, webhooks),
        new WebhookCopies(deliveries));
  }

  /** Returns the service. */
  public BindableService service() {
    return service;
  }

  /** Returns what erases copies of redacted content from deliveries. */
  public CopyEraser copies() {
    return copies;
  }

  /** Sends the deliveries of a webhook that is due. */
  public void due(DueEntry entry) {
    endpoints.due(entry);
  }

  /** Starts creating deliveries for new events. */
  public void start(ScheduledExecutorService timer, ScheduledExecutorService sweeps) {
    pump.start(timer, sweeps);
  }
}
