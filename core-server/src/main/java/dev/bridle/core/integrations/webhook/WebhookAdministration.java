package dev.bridle.core.integrations.webhook;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventFeed;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.webhook.v1.CreateWebhookRequest;
import dev.bridle.webhook.v1.DeleteWebhookRequest;
import dev.bridle.webhook.v1.DeleteWebhookResponse;
import dev.bridle.webhook.v1.ListWebhooksRequest;
import dev.bridle.webhook.v1.ListWebhooksResponse;
import dev.bridle.webhook.v1.UpdateWebhookRequest;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookPreset;
import dev.bridle.webhook.v1.WebhookStatus;
import java.util.function.BiFunction;

/** Creates, lists, updates and deletes webhooks. */
final class WebhookAdministration {
  private final KeyValueStore store;
  private final Commands commands;
  private final WorkspaceStore workspaces;
  private final WebhookStore webhooks;
  private final WebhookRules rules;
  private final WebhookEvents events;
  private final EventFeed feed;
  private final WebhookAgenda agenda;
  private final Pages pages;

  WebhookAdministration(
      CoreContext context,
      WorkspaceStore workspaces,
      WebhookStore webhooks,
      WebhookRules rules,
      WebhookEvents events,
      EventFeed feed,
      WebhookAgenda agenda) {
    this.store = context.store();
    this.commands = context.commands();
    this.workspaces = workspaces;
    this.webhooks = webhooks;
    this.rules = rules;
    this.events = events;
    this.feed = feed;
    this.agenda = agenda;
    this.pages = context.pages();
  }

  ListWebhooksResponse list(Caller caller, ListWebhooksRequest request) {
    Pages.Page<WebhookRecord> page = store.read(tr -> page(tr, caller, request));
    ListWebhooksResponse.Builder list = ListWebhooksResponse.newBuilder().setPage(page.info());
    page.rows().forEach(record -> list.addData(record.getWebhook()));
    return list.build();
  }

  private Pages.Page<WebhookRecord> page(
      ReadTransaction tr, Caller caller, ListWebhooksRequest request) {
    if (request.hasWorkspaceId()
        && workspaces.find(tr, caller, request.getWorkspaceId()).isEmpty()) {
      return Pages.Page.none();
    }
    int index = request.hasWorkspaceId() ? WebhookStore.WORKSPACE : WebhookStore.ALL;
    return pages.read(
        tr,
        webhooks.records(),
        Pages.Ask.of(request, index, request.getWorkspaceId(), true),
        record ->
            WebhookStore.lives(record) && caller.reaches(record.getWebhook().getWorkspaceId()));
  }

  Webhook get(Caller caller, String id) {
    return store.read(tr -> webhooks.need(tr, caller, id)).getWebhook();
  }

  Webhook create(Caller caller, CreateWebhookRequest request) {
    return commands.run(
        request,
        "",
        write -> workspaces.referenced(write.tr(), caller, request.getWorkspaceId()).getId(),
        write -> create(write, caller, request),
        Webhook.getDefaultInstance());
  }

  private Webhook create(Write write, Caller caller, CreateWebhookRequest request) {
    Webhook.Builder made =
        Members.create(write, write.id(WebhookStore.PREFIX), request, Webhook.getDefaultInstance())
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
    rules.needRoom(write, webhooks);
    webhooks.insert(
        write,
        WebhookRecord.newBuilder().setWebhook(webhook).build(),
        WebhookStateRecord.newBuilder()
            .setWebhookId(webhook.getId())
            .setCursor(feed.end(write.tr(), write.tenant()).toString())
            .build());
    events.append(
        write, webhook, EventDraft.of(EventKinds.WEBHOOK_CREATED, WebhookEvents.facts(webhook)));
    return webhook;
  }

  Webhook update(Caller caller, UpdateWebhookRequest request) {
    return on(
        caller,
        request,
        request.getWebhookId(),
        (write, before) -> update(write, caller, before, request),
        Webhook.getDefaultInstance());
  }

  private Webhook update(
      Write write, Caller caller, WebhookRecord before, UpdateWebhookRequest request) {
    return Members.applyMask(write, before.getWebhook(), request, request.getUpdateMask())
        .map(
            change -> {
              rules.check(write.tr(), caller, change.resource());
              return store(
                  write, before, change.resource(), WebhookEvents.facts(change.resource()));
            })
        .orElse(before.getWebhook());
  }

  /** Pauses or resumes a webhook. */
  Webhook setStatus(Caller caller, Message request, String id, WebhookStatus status) {
    return on(
        caller,
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

  private Webhook store(Write write, WebhookRecord before, Webhook webhook, Payload facts) {
    WebhookRecord after = before.toBuilder().setWebhook(webhook).build();
    webhooks.update(write, before, after);
    agenda.settle(write, after);
    events.append(write, webhook, EventDraft.of(EventKinds.WEBHOOK_UPDATED, facts));
    return webhook;
  }

  DeleteWebhookResponse delete(Caller caller, DeleteWebhookRequest request) {
    return on(
        caller,
        request,
        request.getWebhookId(),
        this::delete,
        DeleteWebhookResponse.getDefaultInstance());
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
    agenda.settle(write, left);
    events.append(write, webhook, EventDraft.of(EventKinds.WEBHOOK_DELETED, Payload.of()));
    return DeleteWebhookResponse.getDefaultInstance();
  }

  private <R extends Message> R on(
      Caller caller,
      Message request,
      String id,
      BiFunction<Write, WebhookRecord, R> work,
      R prototype) {
    return commands.run(
        request,
        id,
        write -> webhooks.ever(write.tr(), caller, id).getWebhook().getWorkspaceId(),
        write -> work.apply(write, webhooks.need(write.tr(), caller, id)),
        prototype);
  }
}
