package dev.bridle.core.integrations.webhook;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.resource.SpecialCalls;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.webhook.v1.DropWebhookDeliveryRequest;
import dev.bridle.webhook.v1.GetWebhookDeliveryRequest;
import dev.bridle.webhook.v1.ListWebhookDeliveriesRequest;
import dev.bridle.webhook.v1.ListWebhookDeliveriesResponse;
import dev.bridle.webhook.v1.RedeliverWebhookDeliveryRequest;
import dev.bridle.webhook.v1.TestWebhookRequest;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import java.util.function.BiFunction;

/** Lists deliveries of webhooks, creates test deliveries, and settles failed ones. */
final class WebhookDeliveries {
  private static final int LIST = 0;

  private final KeyValueStore store;
  private final Commands commands;
  private final WebhookStore webhooks;
  private final WebhookDeliveryStore deliveries;
  private final WebhookEvents events;
  private final WebhookAgenda agenda;
  private final WebhookEndpoints endpoints;
  private final Pages pages;

  WebhookDeliveries(
      CoreContext context,
      WebhookStore webhooks,
      WebhookDeliveryStore deliveries,
      WebhookEvents events,
      WebhookAgenda agenda,
      WebhookEndpoints endpoints) {
    this.store = context.store();
    this.commands = context.commands();
    this.webhooks = webhooks;
    this.deliveries = deliveries;
    this.events = events;
    this.agenda = agenda;
    this.endpoints = endpoints;
    this.pages = context.pages();
  }

  /** Returns the calls by the methods that they serve. What they leave due is sent at once. */
  SpecialCalls calls() {
    return new SpecialCalls()
        .with(WebhookServiceGrpc.getListWebhookDeliveriesMethod(), this::list)
        .with(WebhookServiceGrpc.getGetWebhookDeliveryMethod(), this::get)
        .with(WebhookServiceGrpc.getTestWebhookMethod(), sent(this::test))
        .with(WebhookServiceGrpc.getRedeliverWebhookDeliveryMethod(), sent(this::redeliver))
        .with(WebhookServiceGrpc.getDropWebhookDeliveryMethod(), sent(this::drop));
  }

  private <Q> BiFunction<Caller, Q, WebhookDelivery> sent(
      BiFunction<Caller, Q, WebhookDelivery> call) {
    return (caller, request) -> {
      WebhookDelivery delivery = call.apply(caller, request);
      endpoints.wake(caller.tenant(), delivery.getWebhookId());
      return delivery;
    };
  }

  private ListWebhookDeliveriesResponse list(Caller caller, ListWebhookDeliveriesRequest request) {
    String webhook = request.getWebhookId();
    Pages.Page<WebhookDelivery> page =
        store.read(
            tr -> {
              var unused = webhooks.need(tr, caller, webhook);
              return pages.named(
                  (before, limit) ->
                      deliveries.page(tr, caller.tenant(), webhook, before, limit).stream()
                          .map(WebhookDeliveryRecord::getDelivery)
                          .toList(),
                  WebhookDelivery::getId,
                  Pages.Ask.of(request, LIST, webhook, true),
                  row -> !request.hasStatus() || row.getStatus() == request.getStatus());
            });
    return ListWebhookDeliveriesResponse.newBuilder()
        .addAllData(page.rows())
        .setPage(page.info())
        .build();
  }

  private WebhookDelivery get(Caller caller, GetWebhookDeliveryRequest request) {
    return store.read(
        tr -> need(tr, caller, request.getWebhookId(), request.getDeliveryId()).getDelivery());
  }

  private WebhookDeliveryRecord need(ReadTransaction tr, Caller caller, String webhook, String id) {
    var unused = webhooks.need(tr, caller, webhook);
    return deliveries
        .find(tr, caller.tenant(), webhook, id)
        .orElseThrow(() -> ProtocolException.notFound("delivery", id));
  }

  /** Creates a test delivery, which has no event. */
  private WebhookDelivery test(Caller caller, TestWebhookRequest request) {
    String id = request.getWebhookId();
    return commands.run(
        request,
        id,
        write -> webhooks.ever(write.tr(), caller, id).getWebhook().getWorkspaceId(),
        write -> test(write, webhooks.need(write.tr(), caller, id)),
        WebhookDelivery.getDefaultInstance());
  }

  private WebhookDelivery test(Write write, WebhookRecord webhook) {
    if (!WebhookStore.sends(webhook)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT, "The webhook is paused; resume it to send deliveries.")
          .with("status", WebhookEvents.spell(webhook.getWebhook().getStatus()));
    }
    String id = write.id("webhook_delivery");
    WebhookDelivery delivery =
        WebhookDelivery.newBuilder()
            .setId(id)
            .setCreatedAt(Timestamps.fromMillis(write.nowMillis()))
            .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
            .setWebhookId(webhook.getWebhook().getId())
            .setStatus(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING)
            .setEventKind(WebhookBody.TEST)
            .build();
    deliveries.add(
        write,
        WebhookDeliveryRecord.newBuilder()
            .setDelivery(delivery)
            .setGiveUpAt(giveUpAt(write, webhook))
            .setLine(id)
            .setPlace(id)
            .build());
    agenda.settle(write, webhook);
    return delivery;
  }

  private WebhookDelivery redeliver(Caller caller, RedeliverWebhookDeliveryRequest request) {
    WebhookRules.needMaker(caller);
    return settle(
        caller, request, request.getWebhookId(), request.getDeliveryId(), this::redeliver);
  }

  private WebhookDeliveryRecord redeliver(
      Write write, WebhookRecord webhook, WebhookDeliveryRecord before) {
    WebhookDelivery delivery = before.getDelivery();
    return switch (delivery.getStatus()) {
      case WEBHOOK_DELIVERY_STATUS_WAITING -> before;
      case WEBHOOK_DELIVERY_STATUS_FAILED ->
          deliveries.addAgain(
              write,
              before,
              before.toBuilder()
                  .setDelivery(
                      delivery.toBuilder()
                          .setStatus(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING)
                          .setFailures(0))
                  .setGiveUpAt(giveUpAt(write, webhook))
                  .build());
      default -> throw settled(delivery);
    };
  }

  private static long giveUpAt(Write write, WebhookRecord webhook) {
    return write.nowMillis() + webhook.getWebhook().getRetrySeconds() * 1000;
  }

  private WebhookDelivery drop(Caller caller, DropWebhookDeliveryRequest request) {
    return settle(caller, request, request.getWebhookId(), request.getDeliveryId(), this::drop);
  }

  private WebhookDeliveryRecord drop(
      Write write, WebhookRecord webhook, WebhookDeliveryRecord before) {
    return switch (before.getDelivery().getStatus()) {
      case WEBHOOK_DELIVERY_STATUS_DROPPED -> before;
      case WEBHOOK_DELIVERY_STATUS_WAITING, WEBHOOK_DELIVERY_STATUS_FAILED ->
          agenda.drop(write, before);
      default -> throw settled(before.getDelivery());
    };
  }

  private static ProtocolException settled(WebhookDelivery delivery) {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_CONFLICT,
            "The delivery has ended already; there is nothing to settle.")
        .with("status", spell(delivery));
  }

  /** Settles a delivery and returns its record, which is unchanged if there was nothing to do. */
  private interface SettleAction {
    WebhookDeliveryRecord of(Write write, WebhookRecord webhook, WebhookDeliveryRecord before);
  }

  private WebhookDelivery settle(
      Caller caller, Message request, String id, String deliveryId, SettleAction action) {
    return commands.run(
        request,
        id + "/" + deliveryId,
        write -> webhooks.need(write.tr(), caller, id).getWebhook().getWorkspaceId(),
        write -> {
          WebhookRecord webhook = webhooks.need(write.tr(), caller, id);
          WebhookDeliveryRecord before = need(write.tr(), caller, id, deliveryId);
          WebhookDeliveryRecord after = action.of(write, webhook, before);
          if (!after.equals(before)) {
            agenda.settle(write, webhook);
            events.append(
                write,
                webhook.getWebhook(),
                EventDraft.of(
                    EventKinds.WEBHOOK_DELIVERY_SETTLED,
                    Payload.of()
                        .text("delivery_id", deliveryId)
                        .text("status", spell(after.getDelivery()))));
          }
          return after.getDelivery();
        },
        WebhookDelivery.getDefaultInstance());
  }

  private static String spell(WebhookDelivery delivery) {
    return delivery.getStatus().name().substring("WEBHOOK_DELIVERY_STATUS_".length());
  }
}
