package dev.bridle.core.fault;

import dev.bridle.webhook.v1.CreateWebhookRequest;
import dev.bridle.webhook.v1.DeleteWebhookRequest;
import dev.bridle.webhook.v1.ListWebhookDeliveriesRequest;
import dev.bridle.webhook.v1.TestWebhookRequest;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import java.util.List;

/** A webhook that is told of tasks. */
final class WebhookSteps {
  /** A webhook that hears of beginnings and ends of tasks. */
  static final CreateWebhookRequest DESCRIPTION =
      CreateWebhookRequest.newBuilder()
          .setWorkspaceId("default")
          .setUrl("https://hooks.example/")
          .addEventKinds("task.submitted")
          .addEventKinds("task.completed")
          .build();

  private WebhookSteps() {}

  /** Makes a webhook that hears of beginnings and ends of tasks. */
  static Webhook tellOutside(World world, String key) {
    return world.callOnce(
        "webhook",
        key,
        channel -> WebhookServiceGrpc.newBlockingStub(channel).createWebhook(DESCRIPTION));
  }

  /** Has a webhook send a test delivery; no time passes. */
  static WebhookDelivery test(World world, String webhook, String what) {
    TestWebhookRequest request = TestWebhookRequest.newBuilder().setWebhookId(webhook).build();
    return world.callOnce(
        what, what, channel -> WebhookServiceGrpc.newBlockingStub(channel).testWebhook(request));
  }

  /** Lets time pass until a webhook has told so much, and returns what. */
  static List<WebhookDelivery> delivered(World world, String webhook, int count) {
    ListWebhookDeliveriesRequest request =
        ListWebhookDeliveriesRequest.newBuilder()
            .setWebhookId(webhook)
            .setStatus(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_DELIVERED)
            .build();
    return world.timePassesUntil(
        delivered -> delivered.size() >= count,
        "look",
        channel ->
            WebhookServiceGrpc.newBlockingStub(channel)
                .listWebhookDeliveries(request)
                .getDataList());
  }

  static WebhookDelivery of(String kind, List<WebhookDelivery> deliveries) {
    return deliveries.stream()
        .filter(delivery -> delivery.getEventKind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  static void tellNoMore(World world, String webhook, String key) {
    DeleteWebhookRequest request = DeleteWebhookRequest.newBuilder().setWebhookId(webhook).build();
    var unused =
        world.callOnce(
            "tell no more",
            key,
            channel -> WebhookServiceGrpc.newBlockingStub(channel).deleteWebhook(request));
  }
}
