package dev.bridle.core.integrations.webhook;

import com.google.protobuf.Message;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventFeed;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.outbound.OutboundException;
import dev.bridle.core.kernel.outbound.OutboundUrl;
import dev.bridle.core.kernel.resource.DeleteRules;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.kernel.resource.ResourceAction;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.kernel.resource.UpdateRules;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.core.work.workspace.WorkspaceOwned;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.persona.v1.Persona;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.webhook.v1.CreateWebhookRequest;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookPreset;
import dev.bridle.webhook.v1.WebhookStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The rules of webhooks as a resource: validates them, and the permissions of those who create or
 * change them. Their deliveries go out right after a command.
 */
final class WebhookRules extends WorkspaceOwned<WebhookRecord, Webhook>
    implements UpdateRules<WebhookRecord, Webhook>, DeleteRules<WebhookRecord, Webhook> {
  private static final Duration RETRIED = Duration.ofDays(1);

  private static final List<String> NEEDED = List.of("events:read", "tasks:read");

  private final OutboundClient client;
  private final TenantRecords<Persona> personas;
  private final ConnectSecrets secrets;
  private final WebhookStore webhooks;
  private final EventFeed feed;
  private final WebhookAgenda agenda;
  private final BiConsumer<String, String> wake;
  private final int most;

  /**
   * Creates the rules.
   *
   * @param wake has a tenant's webhook read its feed and send what is due
   */
  WebhookRules(
      CoreContext context,
      OutboundClient client,
      ConnectSecrets secrets,
      WebhookStore webhooks,
      EventFeed feed,
      WebhookAgenda agenda,
      BiConsumer<String, String> wake) {
    super(new WorkspaceStore(context.layout()));
    this.client = client;
    this.personas = new TenantRecords<>(context.layout(), Personas.PERSONA);
    this.secrets = secrets;
    this.webhooks = webhooks;
    this.feed = feed;
    this.agenda = agenda;
    this.wake = wake;
    this.most = context.settings(TenantLimits.class).webhooks();
  }

  /** Returns the service's methods that change the status of a webhook, by name. */
  Map<String, ResourceAction<WebhookRecord>> actions() {
    return Map.of(
        "PauseWebhook",
        (write, before, request) -> setStatus(write, before, WebhookStatus.WEBHOOK_STATUS_PAUSED),
        "ResumeWebhook",
        ResourceAction.checked(
            WebhookRules::needMaker,
            (write, before, request) ->
                setStatus(write, before, WebhookStatus.WEBHOOK_STATUS_ACTIVE)));
  }

  private Optional<ResourceAction.Change<WebhookRecord>> setStatus(
      Write write, WebhookRecord before, WebhookStatus status) {
    if (before.getWebhook().getStatus() == status) {
      return Optional.empty();
    }
    Webhook after =
        before.getWebhook().toBuilder()
            .setStatus(status)
            .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
            .build();
    return Optional.of(
        new ResourceAction.Change<>(
            changed(write, before, after),
            Payload.of().text("status", WebhookEvents.spell(status))));
  }

  @Override
  public void admit(Caller caller) {
    needMaker(caller);
  }

  /** Checks that the caller may read what the webhook sends. */
  static void needMaker(Caller caller) {
    for (String scope : NEEDED) {
      if (!caller.holds(scope)) {
        throw ProtocolException.of(
                ErrorCode.ERROR_CODE_PERMISSION_DENIED,
                "A webhook sends events and tasks; the credential lacks a scope to read them.")
            .with("required_scope", scope);
      }
    }
  }

  @Override
  public String workspaceOf(WebhookRecord record) {
    return record.getWebhook().getWorkspaceId();
  }

  @Override
  public boolean deleted(WebhookRecord record) {
    return !WebhookStore.lives(record);
  }

  @Override
  public WebhookRecord create(Write write, Caller caller, Message request, Webhook given) {
    Webhook.Builder made = given.toBuilder().setStatus(WebhookStatus.WEBHOOK_STATUS_ACTIVE);
    if (made.getPreset() == WebhookPreset.WEBHOOK_PRESET_UNSPECIFIED) {
      made.setPreset(WebhookPreset.WEBHOOK_PRESET_GENERIC);
    }
    if (!((CreateWebhookRequest) request).hasRetrySeconds()) {
      made.setRetrySeconds(RETRIED.toSeconds());
    }
    Webhook webhook = made.build();
    check(write.tr(), caller, webhook);
    TenantLimits.needRoom(
        write, webhooks.records(), WebhookStore.WEBHOOK, WebhookStore::lives, most);
    webhooks.begin(write, webhook.getId(), feed.end(write.tr(), write.tenant()));
    return WebhookRecord.newBuilder().setWebhook(webhook).build();
  }

  @Override
  public Payload created(Webhook webhook) {
    return WebhookEvents.facts(webhook);
  }

  @Override
  public WebhookRecord update(Write write, Caller caller, WebhookRecord before, Webhook after) {
    check(write.tr(), caller, after);
    return changed(write, before, after);
  }

  private WebhookRecord changed(Write write, WebhookRecord before, Webhook webhook) {
    WebhookRecord after = before.toBuilder().setWebhook(webhook).build();
    agenda.settle(write, after);
    return after;
  }

  @Override
  public Payload updatedFacts(
      Write write, WebhookRecord before, Message request, Members.Change<Webhook> change) {
    return WebhookEvents.facts(change.resource());
  }

  @Override
  public WebhookRecord delete(Write write, Caller caller, WebhookRecord before) {
    Webhook webhook = before.getWebhook();
    WebhookRecord left =
        WebhookRecord.newBuilder()
            .setWebhook(
                Webhook.newBuilder()
                    .setId(webhook.getId())
                    .setWorkspaceId(webhook.getWorkspaceId()))
            .setDeletedAt(write.nowMillis())
            .build();
    agenda.settle(write, left);
    return left;
  }

  @Override
  public void committed(Caller caller, String id) {
    wake.accept(caller.tenant(), id);
  }

  private void check(ReadTransaction tr, Caller caller, Webhook webhook) {
    checkUrl(webhook);
    if (webhook.hasSecret()) {
      secrets.needUsable(tr, caller, webhook.getWorkspaceId(), webhook.getSecret(), "secret");
    }
    if (webhook.hasPersonaId()) {
      var unused = personas.referenced(tr, caller, webhook.getPersonaId(), "persona_id");
    }
    if (webhook.getTaskStatusesList().contains(TaskStatus.TASK_STATUS_UNSPECIFIED)) {
      throw ProtocolException.invalid("task_statuses", "names no status of a task");
    }
  }

  private void checkUrl(Webhook webhook) {
    try {
      OutboundUrl url = client.check(webhook.getUrl());
      if (webhook.getPreset() == WebhookPreset.WEBHOOK_PRESET_NTFY
          && WebhookBody.topic(url).isEmpty()) {
        throw ProtocolException.invalid("url", "names no topic of ntfy as the end of its path");
      }
    } catch (OutboundException e) {
      throw ProtocolException.invalid("url", e.getMessage());
    }
  }
}
