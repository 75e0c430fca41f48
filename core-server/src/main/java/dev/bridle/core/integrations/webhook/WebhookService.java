package dev.bridle.core.integrations.webhook;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.webhook.v1.CreateWebhookRequest;
import dev.bridle.webhook.v1.DeleteWebhookRequest;
import dev.bridle.webhook.v1.DeleteWebhookResponse;
import dev.bridle.webhook.v1.DropWebhookDeliveryRequest;
import dev.bridle.webhook.v1.GetWebhookDeliveryRequest;
import dev.bridle.webhook.v1.GetWebhookRequest;
import dev.bridle.webhook.v1.ListWebhookDeliveriesRequest;
import dev.bridle.webhook.v1.ListWebhookDeliveriesResponse;
import dev.bridle.webhook.v1.ListWebhooksRequest;
import dev.bridle.webhook.v1.ListWebhooksResponse;
import dev.bridle.webhook.v1.PauseWebhookRequest;
import dev.bridle.webhook.v1.RedeliverWebhookDeliveryRequest;
import dev.bridle.webhook.v1.ResumeWebhookRequest;
import dev.bridle.webhook.v1.TestWebhookRequest;
import dev.bridle.webhook.v1.UpdateWebhookRequest;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import dev.bridle.webhook.v1.WebhookStatus;
import io.grpc.stub.StreamObserver;

/** Serves webhooks and their deliveries. Deliveries that a call creates are sent at once. */
final class WebhookService extends WebhookServiceGrpc.WebhookServiceImplBase {
  private final WebhookAdministration webhooks;
  private final WebhookDeliveries deliveries;
  private final WebhookPump pump;
  private final WebhookEndpoints endpoints;

  WebhookService(
      WebhookAdministration webhooks,
      WebhookDeliveries deliveries,
      WebhookPump pump,
      WebhookEndpoints endpoints) {
    this.webhooks = webhooks;
    this.deliveries = deliveries;
    this.pump = pump;
    this.endpoints = endpoints;
  }

  @Override
  public void listWebhooks(
      ListWebhooksRequest request, StreamObserver<ListWebhooksResponse> response) {
    Replies.send(response, webhooks.list(Caller.current(), request));
  }

  @Override
  public void createWebhook(CreateWebhookRequest request, StreamObserver<Webhook> response) {
    Caller caller = Caller.current();
    WebhookRules.needMaker(caller);
    Webhook made = webhooks.create(caller, request);
    pump.wake(caller.tenant());
    Replies.send(response, made);
  }

  @Override
  public void getWebhook(GetWebhookRequest request, StreamObserver<Webhook> response) {
    Replies.send(response, webhooks.get(Caller.current(), request.getWebhookId()));
  }

  @Override
  public void updateWebhook(UpdateWebhookRequest request, StreamObserver<Webhook> response) {
    Caller caller = Caller.current();
    WebhookRules.needMaker(caller);
    Replies.send(response, webhooks.update(caller, request));
  }

  @Override
  public void pauseWebhook(PauseWebhookRequest request, StreamObserver<Webhook> response) {
    Replies.send(
        response,
        webhooks.setStatus(
            Caller.current(),
            request,
            request.getWebhookId(),
            WebhookStatus.WEBHOOK_STATUS_PAUSED));
  }

  @Override
  public void resumeWebhook(ResumeWebhookRequest request, StreamObserver<Webhook> response) {
    Caller caller = Caller.current();
    WebhookRules.needMaker(caller);
    Webhook resumed =
        webhooks.setStatus(
            caller, request, request.getWebhookId(), WebhookStatus.WEBHOOK_STATUS_ACTIVE);
    pump.wake(caller.tenant());
    endpoints.wake(caller.tenant(), resumed.getId());
    Replies.send(response, resumed);
  }

  @Override
  public void testWebhook(TestWebhookRequest request, StreamObserver<WebhookDelivery> response) {
    Caller caller = Caller.current();
    sendSoon(caller, deliveries.test(caller, request), response);
  }

  @Override
  public void deleteWebhook(
      DeleteWebhookRequest request, StreamObserver<DeleteWebhookResponse> response) {
    Caller caller = Caller.current();
    DeleteWebhookResponse deleted = webhooks.delete(caller, request);
    endpoints.wake(caller.tenant(), request.getWebhookId());
    Replies.send(response, deleted);
  }

  @Override
  public void listWebhookDeliveries(
      ListWebhookDeliveriesRequest request,
      StreamObserver<ListWebhookDeliveriesResponse> response) {
    Replies.send(response, deliveries.list(Caller.current(), request));
  }

  @Override
  public void getWebhookDelivery(
      GetWebhookDeliveryRequest request, StreamObserver<WebhookDelivery> response) {
    Replies.send(response, deliveries.get(Caller.current(), request));
  }

  @Override
  public void redeliverWebhookDelivery(
      RedeliverWebhookDeliveryRequest request, StreamObserver<WebhookDelivery> response) {
    Caller caller = Caller.current();
    WebhookRules.needMaker(caller);
    sendSoon(caller, deliveries.redeliver(caller, request), response);
  }

  @Override
  public void dropWebhookDelivery(
      DropWebhookDeliveryRequest request, StreamObserver<WebhookDelivery> response) {
    Caller caller = Caller.current();
    sendSoon(caller, deliveries.drop(caller, request), response);
  }

  private void sendSoon(
      Caller caller, WebhookDelivery delivery, StreamObserver<WebhookDelivery> response) {
    endpoints.wake(caller.tenant(), delivery.getWebhookId());
    Replies.send(response, delivery);
  }
}
