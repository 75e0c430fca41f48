package dev.bridle.core.server;

import dev.bridle.core.api.receipt.ReceiptResources;
import dev.bridle.core.integrations.connector.ConnectorStore;
import dev.bridle.core.integrations.connector.DeliveryStore;
import dev.bridle.core.integrations.enforcer.HarpRecords;
import dev.bridle.core.integrations.harpsession.LayerSessionStore;
import dev.bridle.core.integrations.prompt.PromptStore;
import dev.bridle.core.integrations.relay.RelayRecords;
import dev.bridle.core.integrations.repo.HarpRepoStore;
import dev.bridle.core.integrations.schedule.Schedules;
import dev.bridle.core.integrations.webhook.WebhookDeliveryStore;
import dev.bridle.core.integrations.webhook.WebhookStore;
import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.work.agent.WorkerStore;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.branch.BranchStore;
import dev.bridle.core.work.dispatch.SessionStates;
import dev.bridle.core.work.memory.MemoryStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.message.Transcripts;
import dev.bridle.core.work.oauth.OAuthClients;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.permission.GrantStore;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.policy.ApprovalDevices;
import dev.bridle.core.work.policy.ApprovalRoles;
import dev.bridle.core.work.policy.ApprovalRules;
import dev.bridle.core.work.quota.QuotaStore;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.core.work.receipt.OwedReceipts;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.receipt.SubjectReceipts;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.skill.Skills;
import dev.bridle.core.work.task.TaskFactStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.vault.SecretStore;
import dev.bridle.core.work.vault.VaultStore;
import dev.bridle.core.work.workspace.StoredFiles;
import dev.bridle.core.work.workspace.WorkspaceStore;
import java.util.List;

/** All kinds of records that this release stores. */
public final class CoreRecords {
  /** Their definitions; a tenant's export takes those with a phase in this order. */
  public static final Catalog CATALOG =
      Catalog.of(
          List.of(
              QuotaStore.QUOTA,
              Personas.PERSONA,
              Skills.SKILL,
              WorkspaceStore.WORKSPACE,
              ApprovalRoles.APPROVAL_ROLE,
              ApprovalRules.APPROVAL_RULE,
              ApprovalDevices.APPROVAL_DEVICE,
              StoredFiles.WORKSPACE_TREE,
              StoredFiles.WORKSPACE_FILE,
              VaultStore.VAULT,
              SecretStore.VAULT_SECRETS,
              SecretStore.SECRET,
              ArtifactStore.ARTIFACT,
              MemoryStore.MEMORY,
              SessionStore.SESSION,
              MessageStore.MESSAGE,
              Transcripts.TRANSCRIPT,
              BranchStore.BRANCH,
              TaskStore.TASK,
              TaskStore.TASK_INPUT,
              TaskFactStore.TASK_FACT,
              ReceiptStore.RECEIPT,
              ReceiptStore.RECEIPT_CHAIN,
              ReceiptStore.RECEIPT_NODE,
              OwedReceipts.RECEIPT_OWED,
              ImportedKeys.RECEIPT_KEY,
              ReceiptStore.LAST_RECEIPT,
              SubjectReceipts.SUBJECT_RECEIPT,
              ReceiptResources.RECEIPT_VERIFICATION,
              OutcomeStore.OUTCOME,
              PermissionStore.PERMISSION,
              GrantStore.PERMISSION_GRANT,
              WorkerStore.WORKER,
              SessionStates.SESSION_STATE,
              ApiKeys.KEY,
              OAuthClients.OAUTH_CLIENT,
              ConnectorStore.CONNECTOR,
              ConnectorStore.POLL_SEEN,
              DeliveryStore.DELIVERY,
              DeliveryStore.DELIVERY_BODY,
              DeliveryStore.DELIVERY_KEY,
              DeliveryStore.DEAD_LETTER,
              Schedules.SCHEDULE,
              WebhookStore.WEBHOOK,
              WebhookStore.WEBHOOK_STATE,
              WebhookDeliveryStore.WEBHOOK_DELIVERY,
              WebhookDeliveryStore.WEBHOOK_AGENDA,
              WebhookDeliveryStore.WEBHOOK_LINE,
              RedactionStore.REDACTION,
              RedactionStore.REDACTED_RESOURCE,
              RelayRecords.PARTY,
              RelayRecords.EXCHANGE,
              RelayRecords.ARTIFACT,
              RelayRecords.DECISION,
              RelayRecords.MESSAGE,
              RelayRecords.CHANNEL,
              RelayRecords.PAIRING,
              RelayRecords.ROUTE,
              RelayRecords.AUDIT,
              RelayRecords.NOTICES,
              HarpRecords.REQUEST,
              HarpRecords.NONCE,
              HarpRepoStore.HARP_REPO,
              HarpRepoStore.HARP_REPO_KEY,
              PromptStore.PROMPT,
              PromptStore.COUNT,
              LayerSessionStore.SESSION,
              LayerSessionStore.EVENT,
              LayerSessionStore.CONTENT,
              LayerSessionStore.SNAPSHOT,
              LayerSessionStore.TOTALS));

  private CoreRecords() {}
}
