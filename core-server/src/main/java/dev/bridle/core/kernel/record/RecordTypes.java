package dev.bridle.core.kernel.record;

import dev.bridle.message.v1.Message;
import dev.bridle.persona.v1.Persona;
import dev.bridle.quota.v1.Quota;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.BranchRecord;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.DeadLetterRecord;
import dev.bridle.record.v1.DeliveryBodyRecord;
import dev.bridle.record.v1.DeliveryKeyRecord;
import dev.bridle.record.v1.DeliveryRecord;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.record.v1.OAuthClientRecord;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.PermissionGrantRecord;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.record.v1.PollSeenRecord;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.record.v1.SecretRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TranscriptRecord;
import dev.bridle.record.v1.VaultSecretsRecord;
import dev.bridle.record.v1.WebhookAgendaRecord;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookLineRecord;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.record.v1.WorkerRecord;
import dev.bridle.record.v1.WorkspaceFileRecord;
import dev.bridle.record.v1.WorkspaceTreeRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.skill.v1.Skill;
import dev.bridle.storage.layer.RecordType;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.vault.v1.Vault;
import dev.bridle.workspace.v1.Workspace;

/** The number of each kind of record in keys, which never changes, and how it is read. */
public final class RecordTypes {
  public static final RecordType<ApiKeyRecord> KEY = new RecordType<>(1, ApiKeyRecord.parser());
  public static final RecordType<Workspace> WORKSPACE = new RecordType<>(2, Workspace.parser());
  public static final RecordType<Session> SESSION = new RecordType<>(3, Session.parser());
  public static final RecordType<Message> MESSAGE = new RecordType<>(4, Message.parser());
  public static final RecordType<ArtifactRecord> ARTIFACT =
      new RecordType<>(5, ArtifactRecord.parser());
  public static final RecordType<OutcomeRecord> OUTCOME =
      new RecordType<>(6, OutcomeRecord.parser());
  public static final RecordType<TaskRecord> TASK = new RecordType<>(10, TaskRecord.parser());
  public static final RecordType<TaskInput> TASK_INPUT = new RecordType<>(11, TaskInput.parser());
  public static final RecordType<WorkerRecord> WORKER = new RecordType<>(12, WorkerRecord.parser());
  public static final RecordType<Persona> PERSONA = new RecordType<>(13, Persona.parser());
  public static final RecordType<Skill> SKILL = new RecordType<>(14, Skill.parser());
  public static final RecordType<Quota> QUOTA = new RecordType<>(15, Quota.parser());
  public static final RecordType<MemoryRecord> MEMORY = new RecordType<>(16, MemoryRecord.parser());
  public static final RecordType<BranchRecord> BRANCH = new RecordType<>(17, BranchRecord.parser());
  public static final RecordType<TranscriptRecord> TRANSCRIPT =
      new RecordType<>(18, TranscriptRecord.parser());
  public static final RecordType<OAuthClientRecord> OAUTH_CLIENT =
      new RecordType<>(40, OAuthClientRecord.parser());
  public static final RecordType<PermissionRecord> PERMISSION =
      new RecordType<>(30, PermissionRecord.parser());
  public static final RecordType<PermissionGrantRecord> PERMISSION_GRANT =
      new RecordType<>(31, PermissionGrantRecord.parser());
  public static final RecordType<Vault> VAULT = new RecordType<>(50, Vault.parser());
  public static final RecordType<VaultSecretsRecord> VAULT_SECRETS =
      new RecordType<>(51, VaultSecretsRecord.parser());
  public static final RecordType<SecretRecord> SECRET = new RecordType<>(52, SecretRecord.parser());
  public static final RecordType<WorkspaceFileRecord> WORKSPACE_FILE =
      new RecordType<>(53, WorkspaceFileRecord.parser());
  public static final RecordType<WorkspaceTreeRecord> WORKSPACE_TREE =
      new RecordType<>(54, WorkspaceTreeRecord.parser());

  public static final RecordType<ConnectorRecord> CONNECTOR =
      new RecordType<>(60, ConnectorRecord.parser());
  public static final RecordType<DeliveryRecord> DELIVERY =
      new RecordType<>(61, DeliveryRecord.parser());
  public static final RecordType<DeliveryBodyRecord> DELIVERY_BODY =
      new RecordType<>(62, DeliveryBodyRecord.parser());
  public static final RecordType<DeliveryKeyRecord> DELIVERY_KEY =
      new RecordType<>(63, DeliveryKeyRecord.parser());
  public static final RecordType<PollSeenRecord> POLL_SEEN =
      new RecordType<>(64, PollSeenRecord.parser());
  public static final RecordType<DeadLetterRecord> DEAD_LETTER =
      new RecordType<>(65, DeadLetterRecord.parser());

  public static final RecordType<ScheduleRecord> SCHEDULE =
      new RecordType<>(70, ScheduleRecord.parser());

  public static final RecordType<WebhookRecord> WEBHOOK =
      new RecordType<>(80, WebhookRecord.parser());
  public static final RecordType<WebhookStateRecord> WEBHOOK_STATE =
      new RecordType<>(81, WebhookStateRecord.parser());
  public static final RecordType<WebhookDeliveryRecord> WEBHOOK_DELIVERY =
      new RecordType<>(82, WebhookDeliveryRecord.parser());
  public static final RecordType<WebhookAgendaRecord> WEBHOOK_AGENDA =
      new RecordType<>(83, WebhookAgendaRecord.parser());
  public static final RecordType<WebhookLineRecord> WEBHOOK_LINE =
      new RecordType<>(84, WebhookLineRecord.parser());

  private RecordTypes() {}
}
