package dev.bridle.core.webhook;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.auth.Caller;
import dev.bridle.core.command.Commands;
import dev.bridle.core.command.Replies;
import dev.bridle.core.command.Write;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.event.EventDraft;
import dev.bridle.core.event.EventFeed;
import dev.bridle.core.event.EventKinds;
import dev.bridle.core.event.Payload;
import dev.bridle.core.page.Pages;
import dev.bridle.core.resource.Members;
import dev.bridle.core.workspace.WorkspaceStore;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
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
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import dev.bridle.webhook.v1.WebhookPreset;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import dev.bridle.webhook.v1.WebhookStatus;
import io.grpc.stub.StreamObserver;
import java.util.function.BiFunction;

/** Webhooks, and what they sent. */
final class WebhookService extends WebhookServiceGrpc.WebhookServiceImplBase {
  /** How many webhooks a tenant has at most. */
  static final int MOST = 100;

  private static final int LIST = 0;

  private final KeyValueStore store;
  private final Commands commands;
  private final WorkspaceStore workspaces;
  private final WebhookStore webhooks;
  private final WebhookDeliveryStore deliveries;
  private final WebhookRules rules;
  private final WebhookEvents events;
  private final EventFeed feed;
  private final WebhookPump pump;
  private final WebhookSending sending;
  private final Pages pages;

  WebhookService(
      KeyValueStore store,
      Commands commands,
      WorkspaceStore workspaces,
      WebhookStore webhooks,
      WebhookDeliveryStore deliveries,
      WebhookRules rules,
      WebhookEvents events,
      EventFeed feed,
      WebhookPump pump,
      WebhookSending sending,
      Pages pages) {
    this.store = store;
    this.commands = commands;
    this.workspaces = workspaces;
    this.webhooks = webhooks;
    this.deliveries = deliveries;
    this.rules = rules;
    this.events = events;
    this.feed = feed;
    this.pump = pump;
    this.sending = sending;
    this.pages = pages;
  }

  @Override
  public void listWebhooks(
      ListWebhooksRequest request, StreamObserver<ListWebhooksResponse> response) {
    Caller caller = Caller.current();
    Pages.Page<WebhookRecord> page = store.read(tr -> page(tr, caller, request));
    ListWebhooksResponse.Builder list = ListWebhooksResponse.newBuilder().setPage(page.info());
    page.rows().forEach(record -> list.addData(record.getWebhook()));
    Replies.send(response, list.build());
  }

  private Pages.Page<WebhookRecord> page(
      ReadTransaction tr, Caller caller, ListWebhooksRequest request) {
    if (request.hasWorkspaceId()) {
      var unused = workspaces.need(tr, caller, request.getWorkspaceId());
    }
    int index = request.hasWorkspaceId() ? WebhookStore.WORKSPACE : WebhookStore.ALL;
    return pages.read(
        tr,
        webhooks.records(),
        Pages.Ask.of(request, index, request.getWorkspaceId(), true),
        record ->
            WebhookStore.lives(record) && caller.reaches(record.getWebhook().getWorkspaceId()));
  }

  @Override
  public void createWebhook(CreateWebhookRequest request, StreamObserver<Webhook> response) {
    Caller caller = Caller.current();
    WebhookRules.needMaker(caller);
    Webhook made =
        commands.run(
            request,
            "",
            write -> workspaces.referenced(write.tr(), caller, request.getWorkspaceId()).getId(),
            write -> create(write, caller, request),
            Webhook.getDefaultInstance());
    pump.wake(caller.tenant());
    Replies.send(response, made);
  }

  private Webhook create(Write write, Caller caller, CreateWebhookRequest request) {
    Webhook.Builder made =
        Members.made(write, write.id(WebhookStore.PREFIX), request, Webhook.getDefaultInstance())
            .toBuilder()
            .setStatus(WebhookStatus.WEBHOOK_STATUS_ACTIVE);
    if (made.getPreset() == WebhookPreset.WEBHOOK_PRESET_UNSPECIFIED) {
      made.setPreset(WebhookPreset.WEBHOOK_PRESET_GENERIC);
    }
    if (!request.hasRetrySeconds()) {
      made.setRetrySeconds(WebhookRules.RETRIED.toSeconds());
    }
    Webhook webhook = made.build();
    rules.check(write.tr(), caller, webhook);
    if (webhooks.states(write.tr(), write.tenant(), WebhookStore.PREFIX, MOST).size() == MOST) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT, "There are as many webhooks as there may be.")
          .with("max_webhooks", MOST);
    }
    webhooks.insert(
        write,
        WebhookRecord.newBuilder().setWebhook(webhook).build(),
        WebhookStateRecord.newBuilder()
            .setWebhookId(webhook.getId())
            .setCursor(feed.end(write.tr(), write.tenant()).toString())
            .build());
    events.tell(
        write, webhook, EventDraft.of(EventKinds.WEBHOOK_CREATED, WebhookEvents.facts(webhook)));
    return webhook;
  }

  @Override
  public void getWebhook(GetWebhookRequest request, StreamObserver<Webhook> response) {
    Caller caller = Caller.current();
    Replies.send(
        response, store.read(tr -> webhooks.need(tr, caller, request.getWebhookId())).getWebhook());
  }

  @Override
  public void updateWebhook(UpdateWebhookRequest request, StreamObserver<Webhook> response) {
    Caller caller = Caller.current();
    WebhookRules.needMaker(caller);
    Replies.send(
        response,
        on(
            request,
            request.getWebhookId(),
            (write, before) -> update(write, caller, before, request),
            Webhook.getDefaultInstance()));
  }

  private Webhook update(
      Write write, Caller caller, WebhookRecord before, UpdateWebhookRequest request) {
    return Members.changed(write, before.getWebhook(), request, request.getUpdateMask())
        .map(
            change -> {
              rules.check(write.tr(), caller, change.resource());
              return store(
                  write, before, change.resource(), WebhookEvents.facts(change.resource()));
            })
        .orElse(before.getWebhook());
  }

  @Override
  public void pauseWebhook(PauseWebhookRequest request, StreamObserver<Webhook> response) {
    Replies.send(
        response, stand(request, request.getWebhookId(), WebhookStatus.WEBHOOK_STATUS_PAUSED));
  }

  @Override
  public void resumeWebhook(ResumeWebhookRequest request, StreamObserver<Webhook> response) {
    WebhookRules.needMaker(Caller.current());
    Webhook resumed = stand(request, request.getWebhookId(), WebhookStatus.WEBHOOK_STATUS_ACTIVE);
    pump.wake(Caller.current().tenant());
    sending.wake(Caller.current().tenant(), resumed.getId());
    Replies.send(response, resumed);
  }

  private Webhook stand(Message request, String id, WebhookStatus status) {
    return on(
        request,
        id,
        (write, before) ->
            before.getWebhook().getStatus() == status
                ? before.getWebhook()
                : store(
                    write,
                    before,
                    before.getWebhook().toBuilder()
                        .setStatus(status)
                        .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
                        .build(),
                    Payload.of().text("status", WebhookEvents.spell(status))),
        Webhook.getDefaultInstance());
  }

  private Webhook store(Write write, WebhookRecord before, Webhook webhook, Payload told) {
    WebhookRecord after = before.toBuilder().setWebhook(webhook).build();
    webhooks.update(write, before, after);
    sending.settle(write, after);
    events.tell(write, webhook, EventDraft.of(EventKinds.WEBHOOK_UPDATED, told));
    return webhook;
  }

  @Override
  public void testWebhook(TestWebhookRequest request, StreamObserver<WebhookDelivery> response) {
    WebhookDelivery made =
        on(request, request.getWebhookId(), this::test, WebhookDelivery.getDefaultInstance());
    sending.wake(Caller.current().tenant(), made.getWebhookId());
    Replies.send(response, made);
  }

  private WebhookDelivery test(Write write, WebhookRecord webhook) {
    if (!WebhookPump.sends(webhook)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT, "The webhook is paused, and sends nothing.")
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
            .setGiveUpAt(write.nowMillis() + webhook.getWebhook().getRetrySeconds() * 1000)
            .setLine(id)
            .setPlace(id)
            .build());
    sending.settle(write, webhook);
    return delivery;
  }

  @Override
  public void deleteWebhook(
      DeleteWebhookRequest request, StreamObserver<DeleteWebhookResponse> response) {
    DeleteWebhookResponse deleted =
        on(
            request,
            request.getWebhookId(),
            this::delete,
            DeleteWebhookResponse.getDefaultInstance());
    sending.wake(Caller.current().tenant(), request.getWebhookId());
    Replies.send(response, deleted);
  }

  private DeleteWebhookResponse delete(Write write, WebhookRecord before) {
    Webhook webhook = before.getWebhook();
    WebhookRecord left =
        WebhookRecord.newBuilder()
            .setWebhook(
                Webhook.newBuilder()
                    .setId(webhook.getId())
                    .setWorkspaceId(webhook.getWorkspaceId()))
            .setDeletedAt(write.nowMillis())
            .build();
    webhooks.update(write, before, left);
    sending.settle(write, left);
    events.tell(write, webhook, EventDraft.of(EventKinds.WEBHOOK_DELETED, Payload.of()));
    return DeleteWebhookResponse.getDefaultInstance();
  }

  @Override
  public void listWebhookDeliveries(
      ListWebhookDeliveriesRequest request,
      StreamObserver<ListWebhookDeliveriesResponse> response) {
    Caller caller = Caller.current();
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
    Replies.send(
        response,
        ListWebhookDeliveriesResponse.newBuilder()
            .addAllData(page.rows())
            .setPage(page.info())
            .build());
  }

  @Override
  public void getWebhookDelivery(
      GetWebhookDeliveryRequest request, StreamObserver<WebhookDelivery> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        store.read(
            tr ->
                delivery(tr, caller, request.getWebhookId(), request.getDeliveryId())
                    .getDelivery()));
  }

  @Override
  public void redeliverWebhookDelivery(
      RedeliverWebhookDeliveryRequest request, StreamObserver<WebhookDelivery> response) {
    WebhookRules.needMaker(Caller.current());
    WebhookDelivery again =
        settle(request, request.getWebhookId(), request.getDeliveryId(), this::redeliver);
    sending.wake(Caller.current().tenant(), again.getWebhookId());
    Replies.send(response, again);
  }

  private WebhookDeliveryRecord redeliver(Write write, WebhookDeliveryRecord before) {
    WebhookDelivery delivery = before.getDelivery();
    switch (delivery.getStatus()) {
      case WEBHOOK_DELIVERY_STATUS_WAITING -> {
        return before;
      }
      case WEBHOOK_DELIVERY_STATUS_FAILED -> {
        long retried =
            webhooks
                .find(write.tr(), write.tenant(), delivery.getWebhookId())
                .orElseThrow()
                .getWebhook()
                .getRetrySeconds();
        return deliveries.addAgain(
            write,
            before,
            before.toBuilder()
                .setDelivery(
                    delivery.toBuilder()
                        .setStatus(WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING)
                        .setFailures(0))
                .setGiveUpAt(write.nowMillis() + retried * 1000)
                .build());
      }
      default -> throw settled(delivery);
    }
  }

  @Override
  public void dropWebhookDelivery(
      DropWebhookDeliveryRequest request, StreamObserver<WebhookDelivery> response) {
    WebhookDelivery dropped =
        settle(request, request.getWebhookId(), request.getDeliveryId(), this::drop);
    sending.wake(Caller.current().tenant(), dropped.getWebhookId());
    Replies.send(response, dropped);
  }

  private WebhookDeliveryRecord drop(Write write, WebhookDeliveryRecord before) {
    return switch (before.getDelivery().getStatus()) {
      case WEBHOOK_DELIVERY_STATUS_DROPPED -> before;
      case WEBHOOK_DELIVERY_STATUS_WAITING, WEBHOOK_DELIVERY_STATUS_FAILED ->
          sending.drop(write, before);
      default -> throw settled(before.getDelivery());
    };
  }

  private static ProtocolException settled(WebhookDelivery delivery) {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_CONFLICT,
            "The delivery is done with; nothing more is to be done about it.")
        .with("status", delivery.getStatus().name().substring("WEBHOOK_DELIVERY_STATUS_".length()));
  }

  private WebhookDelivery settle(
      Message request,
      String id,
      String deliveryId,
      BiFunction<Write, WebhookDeliveryRecord, WebhookDeliveryRecord> work) {
    Caller caller = Caller.current();
    return commands.run(
        request,
        id + "/" + deliveryId,
        write -> webhooks.need(write.tr(), caller, id).getWebhook().getWorkspaceId(),
        write -> {
          WebhookDeliveryRecord before = delivery(write.tr(), caller, id, deliveryId);
          WebhookDeliveryRecord after = work.apply(write, before);
          if (!after.equals(before)) {
            WebhookRecord webhook = webhooks.need(write.tr(), caller, id);
            sending.settle(write, webhook);
            events.tell(
                write,
                webhook.getWebhook(),
                EventDraft.of(
                    EventKinds.WEBHOOK_DELIVERY_SETTLED,
                    Payload.of()
                        .text("delivery_id", deliveryId)
                        .text(
                            "status",
                            after
                                .getDelivery()
                                .getStatus()
                                .name()
                                .substring("WEBHOOK_DELIVERY_STATUS_".length()))));
          }
          return after.getDelivery();
        },
        WebhookDelivery.getDefaultInstance());
  }

  private WebhookDeliveryRecord delivery(
      ReadTransaction tr, Caller caller, String webhook, String id) {
    var unused = webhooks.need(tr, caller, webhook);
    return deliveries
        .find(tr, caller.tenant(), webhook, id)
        .orElseThrow(() -> ProtocolException.notFound("delivery", id));
  }

  private <R extends Message> R on(
      Message request, String id, BiFunction<Write, WebhookRecord, R> work, R prototype) {
    Caller caller = Caller.current();
    return commands.run(
        request,
        id,
        write -> webhooks.ever(write.tr(), caller, id).getWebhook().getWorkspaceId(),
        write -> work.apply(write, webhooks.need(write.tr(), caller, id)),
        prototype);
  }
}
