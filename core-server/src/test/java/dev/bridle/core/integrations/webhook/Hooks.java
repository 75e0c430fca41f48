package dev.bridle.core.integrations.webhook;

import static org.awaitility.Awaitility.await;

import dev.bridle.core.kernel.outbound.AddressRange;
import dev.bridle.core.kernel.outbound.OddServer;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.webhook.v1.CreateWebhookRequest;
import dev.bridle.webhook.v1.DeleteWebhookRequest;
import dev.bridle.webhook.v1.DropWebhookDeliveryRequest;
import dev.bridle.webhook.v1.GetWebhookRequest;
import dev.bridle.webhook.v1.ListWebhookDeliveriesRequest;
import dev.bridle.webhook.v1.ListWebhooksRequest;
import dev.bridle.webhook.v1.PauseWebhookRequest;
import dev.bridle.webhook.v1.RedeliverWebhookDeliveryRequest;
import dev.bridle.webhook.v1.ResumeWebhookRequest;
import dev.bridle.webhook.v1.TestWebhookRequest;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import dev.bridle.webhook.v1.WebhookServiceGrpc.WebhookServiceBlockingStub;
import io.grpc.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Webhooks as a client sees them. */
public final class Hooks {
  private static final int PAGE = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final OutboundOptions LOCAL =
      OutboundOptions.DEFAULT.withAllowed(List.of(AddressRange.parse("127.0.0.1")));

  private final WebhookServiceBlockingStub webhooks;

  public Hooks(Channel caller) {
    this.webhooks = WebhookServiceGrpc.newBlockingStub(caller);
  }

  /** Returns options of a core that may call this machine, soon and again, and gives up soon. */
  public static CoreOptions quick(CoreOptions options) {
    return patient(options)
        .withOutbound(LOCAL.withTimeouts(Duration.ofSeconds(3), Duration.ofSeconds(3)));
  }

  /**
   * Returns options of a core that may call this machine, soon and again, and gives up so late that
   * no answer of a loaded machine is missed.
   */
  public static CoreOptions patient(CoreOptions options) {
    return options
        .withOutbound(LOCAL)
        .withWebhooks(
            WebhookOptions.DEFAULT.withWaits(Duration.ofMillis(50), Duration.ofMillis(200)));
  }

  /** Describes a webhook of the workspace {@code default}. */
  public static CreateWebhookRequest.Builder described(OddServer to, String kind) {
    return CreateWebhookRequest.newBuilder()
        .setWorkspaceId("default")
        .setUrl("http://127.0.0.1:" + to.port() + "/hook")
        .addEventKinds(kind);
  }

  public Webhook made(CreateWebhookRequest.Builder described) {
    return webhooks.createWebhook(described.build());
  }

  public Webhook current(Webhook webhook) {
    return webhooks.getWebhook(
        GetWebhookRequest.newBuilder().setWebhookId(webhook.getId()).build());
  }

  public List<Webhook> all() {
    return webhooks
        .listWebhooks(ListWebhooksRequest.newBuilder().setLimit(PAGE).build())
        .getDataList();
  }

  public void pause(Webhook webhook) {
    var unused =
        webhooks.pauseWebhook(
            PauseWebhookRequest.newBuilder().setWebhookId(webhook.getId()).build());
  }

  public Webhook resume(Webhook webhook) {
    return webhooks.resumeWebhook(
        ResumeWebhookRequest.newBuilder().setWebhookId(webhook.getId()).build());
  }

  public WebhookDelivery test(Webhook webhook) {
    return webhooks.testWebhook(
        TestWebhookRequest.newBuilder().setWebhookId(webhook.getId()).build());
  }

  public void delete(Webhook webhook) {
    var unused =
        webhooks.deleteWebhook(
            DeleteWebhookRequest.newBuilder().setWebhookId(webhook.getId()).build());
  }

  public WebhookDelivery redeliver(WebhookDelivery delivery) {
    return webhooks.redeliverWebhookDelivery(
        RedeliverWebhookDeliveryRequest.newBuilder()
            .setWebhookId(delivery.getWebhookId())
            .setDeliveryId(delivery.getId())
            .build());
  }

  public WebhookDelivery drop(WebhookDelivery delivery) {
    return webhooks.dropWebhookDelivery(
        DropWebhookDeliveryRequest.newBuilder()
            .setWebhookId(delivery.getWebhookId())
            .setDeliveryId(delivery.getId())
            .build());
  }

  /** Returns all deliveries of a webhook, newest first. */
  public List<WebhookDelivery> log(Webhook webhook) {
    List<WebhookDelivery> all = new ArrayList<>();
    ListWebhookDeliveriesRequest.Builder ask =
        ListWebhookDeliveriesRequest.newBuilder().setWebhookId(webhook.getId()).setLimit(PAGE);
    boolean more = true;
    while (more) {
      var page = webhooks.listWebhookDeliveries(ask.build());
      all.addAll(page.getDataList());
      more = page.getPage().getHasMore();
      ask.setCursor(page.getPage().getNextCursor());
    }
    return all;
  }

  /** Waits until a webhook has so many deliveries, none of which waits. */
  public List<WebhookDelivery> settled(Webhook webhook, int count) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> log(webhook), log -> log.size() == count && log.stream().noneMatch(Hooks::waits));
  }

  private static boolean waits(WebhookDelivery delivery) {
    return delivery.getStatus() == WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING;
  }
}
