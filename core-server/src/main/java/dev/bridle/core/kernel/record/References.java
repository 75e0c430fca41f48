package dev.bridle.core.kernel.record;

import com.google.protobuf.MessageLite;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.message.v1.Message;
import dev.bridle.persona.v1.Persona;
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
import dev.bridle.record.v1.WorkspaceFileRecord;
import dev.bridle.record.v1.WorkspaceTreeRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.task.v1.Task;
import dev.bridle.vault.v1.Vault;
import dev.bridle.workspace.v1.Workspace;
import java.util.ArrayList;
import java.util.List;

/** Which other records a record names. */
public final class References {
  private References() {}

  /**
   * A record that another one names.
   *
   * @param kind its kind
   * @param id its id
   * @param owner whether the other one belongs to it, so that both lie at one place
   */
  public record Reference(RecordKind kind, String id, boolean owner) {
    /** Names a record that the other one does not belong to. */
    public Reference(RecordKind kind, String id) {
      this(kind, id, false);
    }
  }

  /** Returns what a record names. */
  public static List<Reference> of(RecordKind kind, String id, MessageLite record) {
    List<Reference> named = new ArrayList<>();
    if (record instanceof Session session) {
      ofSession(session, named);
    } else if (record instanceof MemoryRecord memory) {
      ofMemory(memory, named);
    } else if (record instanceof BranchRecord branch) {
      ofBranch(branch, named);
    } else if (record instanceof TranscriptRecord transcript) {
      named.add(new Reference(RecordKind.SESSION, transcript.getSessionId()));
    } else if (record instanceof Workspace workspace) {
      add(named, RecordKind.QUOTA, workspace.getQuotaId());
    } else if (record instanceof Persona persona) {
      add(named, RecordKind.QUOTA, persona.getQuotaId());
    } else if (record instanceof Message message) {
      named.add(new Reference(RecordKind.SESSION, message.getSessionId(), true));
      if (message.hasTaskId()) {
        named.add(new Reference(RecordKind.TASK, message.getTaskId(), true));
      }
    } else if (record instanceof ArtifactRecord artifact) {
      ofArtifact(artifact.getArtifact(), named);
    } else if (record instanceof TaskRecord task) {
      ofTask(task.getTask(), named);
    } else if (record instanceof OutcomeRecord outcome) {
      named.add(new Reference(RecordKind.WORKSPACE, outcome.getWorkspaceId()));
      named.add(new Reference(RecordKind.TASK, outcome.getOutcome().getTaskId(), true));
      outcome
          .getMessageIdsList()
          .forEach(message -> named.add(new Reference(RecordKind.MESSAGE, message)));
    } else if (record instanceof PermissionRecord permission) {
      named.add(new Reference(RecordKind.WORKSPACE, permission.getWorkspaceId()));
      named.add(new Reference(RecordKind.SESSION, permission.getRequest().getSessionId(), true));
      named.add(new Reference(RecordKind.TASK, permission.getRequest().getTaskId(), true));
    } else if (record instanceof PermissionGrantRecord grant) {
      named.add(new Reference(RecordKind.WORKSPACE, grant.getWorkspaceId()));
      named.add(new Reference(RecordKind.SESSION, grant.getGrant().getSessionId(), true));
      named.add(new Reference(RecordKind.TASK, grant.getGrant().getTaskId(), true));
      named.add(new Reference(RecordKind.PERMISSION, grant.getGrant().getRequestId(), true));
    } else if (record instanceof Vault vault) {
      add(named, RecordKind.WORKSPACE, vault.getWorkspaceId());
    } else if (record instanceof VaultSecretsRecord secrets) {
      add(named, RecordKind.VAULT, secrets.getVaultId());
    } else if (record instanceof SecretRecord secret) {
      add(named, RecordKind.VAULT, secret.getVaultId());
    } else if (record instanceof WorkspaceFileRecord file) {
      named.add(new Reference(RecordKind.WORKSPACE_TREE, file.getWorkspaceId()));
    } else if (record instanceof WorkspaceTreeRecord tree) {
      named.add(new Reference(RecordKind.WORKSPACE, tree.getWorkspaceId()));
    } else if (record instanceof ConnectorRecord connector) {
      named.add(new Reference(RecordKind.WORKSPACE, connector.getConnector().getWorkspaceId()));
      add(named, RecordKind.PERSONA, connector.getConnector().getTargetPersonaId());
      add(named, RecordKind.SESSION, connector.getConnector().getTargetSessionId());
    } else if (record instanceof DeliveryRecord delivery) {
      named.add(new Reference(RecordKind.CONNECTOR, delivery.getDelivery().getConnectorId()));
    } else if (record instanceof DeliveryBodyRecord body) {
      named.add(
          new Reference(
              RecordKind.DELIVERY,
              RecordKind.delivery(body.getConnectorId(), body.getDeliveryId())));
    } else if (record instanceof DeliveryKeyRecord key) {
      named.add(
          new Reference(
              RecordKind.DELIVERY, RecordKind.delivery(key.getConnectorId(), key.getDeliveryId())));
    } else if (record instanceof DeadLetterRecord letter) {
      named.add(
          new Reference(
              RecordKind.DELIVERY,
              RecordKind.delivery(letter.getConnectorId(), letter.getDeliveryId())));
    } else if (record instanceof PollSeenRecord seen) {
      named.add(new Reference(RecordKind.CONNECTOR, seen.getConnectorId()));
    } else if (record instanceof ScheduleRecord schedule) {
      named.add(new Reference(RecordKind.WORKSPACE, schedule.getSchedule().getWorkspaceId()));
      add(named, RecordKind.PERSONA, schedule.getSchedule().getTargetPersonaId());
      add(named, RecordKind.SESSION, schedule.getSchedule().getTargetSessionId());
    } else if (record instanceof WebhookRecord webhook) {
      named.add(new Reference(RecordKind.WORKSPACE, webhook.getWebhook().getWorkspaceId()));
      add(named, RecordKind.PERSONA, webhook.getWebhook().getPersonaId());
    } else if (record instanceof WebhookStateRecord state) {
      named.add(new Reference(RecordKind.WEBHOOK, state.getWebhookId()));
    } else if (record instanceof WebhookDeliveryRecord delivery) {
      named.add(new Reference(RecordKind.WEBHOOK, delivery.getDelivery().getWebhookId()));
    } else if (record instanceof WebhookAgendaRecord agenda) {
      ofDelivery(agenda.getWebhookId(), agenda.getDeliveryId(), named);
    } else if (record instanceof WebhookLineRecord line) {
      ofDelivery(line.getWebhookId(), line.getDeliveryId(), named);
    } else if (record instanceof ApiKeyRecord key) {
      key.getWorkspaceIdsList()
          .forEach(workspace -> named.add(new Reference(RecordKind.WORKSPACE, workspace)));
    } else if (record instanceof OAuthClientRecord client) {
      client
          .getWorkspaceIdsList()
          .forEach(workspace -> named.add(new Reference(RecordKind.WORKSPACE, workspace)));
    } else if (kind.equals(RecordKind.TASK_INPUT)) {
      named.add(new Reference(RecordKind.TASK, id));
    }
    return named;
  }

  private static void ofDelivery(String webhook, String delivery, List<Reference> named) {
    named.add(new Reference(RecordKind.WEBHOOK_DELIVERY, RecordKind.delivery(webhook, delivery)));
  }

  private static void ofSession(Session session, List<Reference> named) {
    named.add(new Reference(RecordKind.WORKSPACE, session.getWorkspaceId()));
    add(named, RecordKind.PERSONA, session.getPersonaId());
    session.getMemoryIdsList().forEach(memory -> add(named, RecordKind.MEMORY, memory));
    session.getSkillIdsList().forEach(skill -> add(named, RecordKind.SKILL, skill));
    session.getVaultIdsList().forEach(vault -> add(named, RecordKind.VAULT, vault));
  }

  private static void ofMemory(MemoryRecord record, List<Reference> named) {
    add(named, RecordKind.WORKSPACE, record.getWorkspaceId());
    String owner = record.getMemory().getOwnerId();
    switch (record.getMemory().getScope()) {
      case MEMORY_SCOPE_PERSONA -> add(named, RecordKind.PERSONA, owner);
      case MEMORY_SCOPE_SESSION -> named.add(new Reference(RecordKind.SESSION, owner, true));
      case MEMORY_SCOPE_WORKSPACE -> add(named, RecordKind.WORKSPACE, owner);
      default -> {} // The tenant itself.
    }
  }

  /** Lineage that leads elsewhere is left out: whoever moves a session alone cuts it. */
  private static void ofBranch(BranchRecord record, List<Reference> named) {
    named.add(new Reference(RecordKind.WORKSPACE, record.getBranch().getWorkspaceId()));
    named.add(new Reference(RecordKind.SESSION, record.getOriginSessionId(), true));
    if (record.getBranch().hasTaskId()) {
      named.add(new Reference(RecordKind.TASK, record.getBranch().getTaskId(), true));
    }
  }

  private static void ofArtifact(Artifact artifact, List<Reference> named) {
    named.add(new Reference(RecordKind.WORKSPACE, artifact.getWorkspaceId()));
    if (artifact.hasSessionId()) {
      named.add(new Reference(RecordKind.SESSION, artifact.getSessionId(), true));
    }
    if (artifact.hasTaskId()) {
      named.add(new Reference(RecordKind.TASK, artifact.getTaskId(), true));
    }
  }

  private static void ofTask(Task task, List<Reference> named) {
    named.add(new Reference(RecordKind.TASK_INPUT, task.getId()));
    named.add(new Reference(RecordKind.SESSION, task.getSessionId(), true));
    named.add(new Reference(RecordKind.WORKSPACE, task.getWorkspaceId()));
    if (task.hasParentTaskId()) {
      named.add(new Reference(RecordKind.TASK, task.getParentTaskId()));
    }
    add(named, RecordKind.PERSONA, task.getPersonaId());
  }

  private static void add(List<Reference> named, RecordKind kind, String id) {
    if (!id.isEmpty()) {
      named.add(new Reference(kind, id));
    }
  }
}
