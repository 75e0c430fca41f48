package dev.bridle.core.integrations.webhook;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.outbound.OutboundException;
import dev.bridle.core.kernel.outbound.OutboundUrl;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.vault.ConnectSecrets;
import dev.bridle.persona.v1.Persona;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookPreset;
import java.time.Duration;
import java.util.List;

/** Validates webhooks, and the permissions of those who create or change them. */
final class WebhookRules {
  static final Duration RETRIED = Duration.ofDays(1);

  private static final List<String> NEEDED = List.of("events:read", "tasks:read");

  private final OutboundClient client;
  private final TenantRecords<Persona> personas;
  private final ConnectSecrets secrets;
  private final int most;

  WebhookRules(
      OutboundClient client, TenantRecords<Persona> personas, ConnectSecrets secrets, int most) {
    this.client = client;
    this.personas = personas;
    this.secrets = secrets;
    this.most = most;
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

  /** Checks that the tenant has not reached its limit of webhooks. */
  void needRoom(Write write, WebhookStore webhooks) {
    TenantLimits.needRoom(
        write, webhooks.records(), WebhookStore.WEBHOOK, WebhookStore::lives, most);
  }

  /** Validates a webhook. */
  void check(ReadTransaction tr, Caller caller, Webhook webhook) {
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
