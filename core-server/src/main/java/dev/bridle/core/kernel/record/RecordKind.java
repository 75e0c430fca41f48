package dev.bridle.core.kernel.record;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.bridle.memory.v1.MemoryScope;
import dev.bridle.message.v1.Message;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.persona.v1.Persona;
import dev.bridle.quota.v1.Quota;
import dev.bridle.record.v1.ApiKeyRecord;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.DeadLetterRecord;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.record.v1.OAuthClientRecord;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.record.v1.PollSeenRecord;
import dev.bridle.record.v1.TranscriptRecord;
import dev.bridle.record.v1.VaultSecretsRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.record.v1.WorkerRecord;
import dev.bridle.record.v1.WorkspaceTreeRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.skill.v1.Skill;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.storage.layer.RecordType;
import dev.bridle.task.v1.Task;
import dev.bridle.vault.v1.Vault;
import dev.bridle.workspace.v1.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A kind of record: how it is read, which id it names, and which index rows it has.
 *
 * @param type its number in keys, and how one is read
 * @param name what one is called
 * @param id the id that one names; empty where it names none
 * @param indexes the index rows that one has
 */
public record RecordKind(
    RecordType<? extends MessageLite> type,
    String name,
    Function<MessageLite, String> id,
    Function<MessageLite, List<Entry>> indexes) {
  /** The index of all records of a kind. */
  public static final int ALL = 0;

  /** The index of the messages of a session. */
  public static final int MESSAGES_BY_SESSION = 0;

  /** The index of the records of a workspace. */
  public static final int BY_WORKSPACE = 1;

  /** The index of the tasks, the artifacts, the memories or the branches of a session. */
  public static final int BY_SESSION = 2;

  /** The index of the artifacts of a task. */
  public static final int ARTIFACTS_BY_TASK = 3;

  /** The index of the outcomes of a task. */
  public static final int OUTCOMES_BY_TASK = 1;

  /** The index of the quotas that bind all tasks of the tenant. */
  public static final int QUOTAS_OF_TENANT = 1;

  /** The index of the permission requests of a task. */
  public static final int PERMISSIONS_BY_TASK = 3;

  /** The index of the permission requests of a task for one action. */
  public static final int PERMISSIONS_BY_ACTION = 4;

  public static final RecordKind KEY =
      kind(RecordTypes.KEY, "API key", ApiKeyRecord::getId, key -> List.of(all()));
  public static final RecordKind WORKSPACE =
      kind(RecordTypes.WORKSPACE, "workspace", Workspace::getId, workspace -> List.of(all()));
  public static final RecordKind SESSION =
      kind(
          RecordTypes.SESSION,
          "session",
          Session::getId,
          session -> List.of(all(), new Entry(BY_WORKSPACE, session.getWorkspaceId())));
  public static final RecordKind MESSAGE =
      kind(
          RecordTypes.MESSAGE,
          "message",
          Message::getId,
          message -> List.of(new Entry(MESSAGES_BY_SESSION, message.getSessionId())));
  public static final RecordKind ARTIFACT =
      kind(
          RecordTypes.ARTIFACT,
          "artifact",
          record -> record.getArtifact().getId(),
          RecordKind::ofArtifact);
  public static final RecordKind OUTCOME =
      kind(
          RecordTypes.OUTCOME,
          "outcome",
          record -> record.getOutcome().getId(),
          record -> ofOutcome(record.getOutcome()));
  public static final RecordKind TASK =
      kind(
          RecordTypes.TASK,
          "task",
          record -> record.getTask().getId(),
          record -> ofTask(record.getTask()));
  public static final RecordKind TASK_INPUT =
      kind(RecordTypes.TASK_INPUT, "task input", input -> "", input -> List.of());
  public static final RecordKind WORKER =
      kind(RecordTypes.WORKER, "worker", WorkerRecord::getAgentId, agent -> List.of(all()));
  public static final RecordKind PERSONA =
      kind(RecordTypes.PERSONA, "persona", Persona::getId, persona -> List.of(all()));
  public static final RecordKind SKILL =
      kind(RecordTypes.SKILL, "skill", Skill::getId, skill -> List.of(all()));
  public static final RecordKind QUOTA =
      kind(RecordTypes.QUOTA, "quota", Quota::getId, RecordKind::ofQuota);
  public static final RecordKind MEMORY =
      kind(
          RecordTypes.MEMORY, "memory", record -> record.getMemory().getId(), RecordKind::ofMemory);
  public static final RecordKind BRANCH =
      kind(
          RecordTypes.BRANCH,
          "branch",
          record -> record.getBranch().getId(),
          record -> List.of(new Entry(BY_SESSION, record.getOriginSessionId())));
  public static final RecordKind TRANSCRIPT =
      kind(
          RecordTypes.TRANSCRIPT,
          "transcript",
          TranscriptRecord::getSessionId,
          transcript -> List.of());
  public static final RecordKind OAUTH_CLIENT =
      kind(
          RecordTypes.OAUTH_CLIENT,
          "OAuth client",
          OAuthClientRecord::getId,
          client -> List.of(all()));
  public static final RecordKind PERMISSION =
      kind(
          RecordTypes.PERMISSION,
          "permission request",
          record -> record.getRequest().getId(),
          RecordKind::ofPermission);
  public static final RecordKind PERMISSION_GRANT =
      kind(
          RecordTypes.PERMISSION_GRANT,
          "permission grant",
          record -> record.getGrant().getId(),
          record -> List.of(all(), new Entry(BY_SESSION, record.getGrant().getSessionId())));
  public static final RecordKind VAULT =
      kind(RecordTypes.VAULT, "vault", Vault::getId, RecordKind::ofVault);
  public static final RecordKind VAULT_SECRETS =
      kind(
          RecordTypes.VAULT_SECRETS,
          "list of secrets",
          VaultSecretsRecord::getVaultId,
          secrets -> List.of());
  public static final RecordKind SECRET =
      kind(
          RecordTypes.SECRET,
          "secret",
          record -> secret(record.getVaultId(), record.getName()),
          record -> List.of());
  public static final RecordKind WORKSPACE_FILE =
      kind(
          RecordTypes.WORKSPACE_FILE,
          "workspace file",
          record -> file(record.getWorkspaceId(), record.getPath()),
          record -> List.of());
  public static final RecordKind WORKSPACE_TREE =
      kind(
          RecordTypes.WORKSPACE_TREE,
          "workspace tree",
          WorkspaceTreeRecord::getWorkspaceId,
          tree -> List.of());

  public static final RecordKind CONNECTOR =
      kind(
          RecordTypes.CONNECTOR,
          "connector",
          record -> record.getConnector().getId(),
          record ->
              List.of(all(), new Entry(BY_WORKSPACE, record.getConnector().getWorkspaceId())));
  public static final RecordKind DELIVERY =
      kind(
          RecordTypes.DELIVERY,
          "delivery",
          record -> delivery(record.getDelivery().getConnectorId(), record.getDelivery().getId()),
          record -> List.of());
  public static final RecordKind DELIVERY_BODY =
      kind(
          RecordTypes.DELIVERY_BODY,
          "body of a delivery",
          record -> delivery(record.getConnectorId(), record.getDeliveryId()),
          record -> List.of());
  public static final RecordKind DELIVERY_KEY =
      kind(
          RecordTypes.DELIVERY_KEY,
          "key of a delivery",
          record -> delivery(record.getConnectorId(), record.getKeyHash()),
          record -> List.of());
  public static final RecordKind POLL_SEEN =
      kind(
          RecordTypes.POLL_SEEN,
          "items that a connector saw",
          PollSeenRecord::getConnectorId,
          record -> List.of());
  public static final RecordKind DEAD_LETTER =
      kind(
          RecordTypes.DEAD_LETTER,
          "dead letter",
          DeadLetterRecord::getDeliveryId,
          record -> List.of());

  public static final RecordKind SCHEDULE =
      kind(
          RecordTypes.SCHEDULE,
          "schedule",
          record -> record.getSchedule().getId(),
          record -> List.of(all(), new Entry(BY_WORKSPACE, record.getSchedule().getWorkspaceId())));
  public static final RecordKind WEBHOOK =
      kind(
          RecordTypes.WEBHOOK,
          "webhook",
          record -> record.getWebhook().getId(),
          record -> List.of(all(), new Entry(BY_WORKSPACE, record.getWebhook().getWorkspaceId())));
  public static final RecordKind WEBHOOK_STATE =
      kind(
          RecordTypes.WEBHOOK_STATE,
          "state of a webhook",
          WebhookStateRecord::getWebhookId,
          record -> List.of());
  public static final RecordKind WEBHOOK_DELIVERY =
      kind(
          RecordTypes.WEBHOOK_DELIVERY,
          "delivery of a webhook",
          record -> delivery(record.getDelivery().getWebhookId(), record.getDelivery().getId()),
          record -> List.of());
  public static final RecordKind WEBHOOK_AGENDA =
      kind(
          RecordTypes.WEBHOOK_AGENDA,
          "agenda of a webhook",
          record -> agenda(record.getWebhookId(), record.getAt(), record.getDeliveryId()),
          record -> List.of());
  public static final RecordKind WEBHOOK_LINE =
      kind(
          RecordTypes.WEBHOOK_LINE,
          "place in a line of a webhook",
          record -> line(record.getWebhookId(), record.getLine(), record.getPlace()),
          record -> List.of());

  private static final Map<Long, RecordKind> KINDS =
      Stream.of(
              KEY,
              WORKSPACE,
              SESSION,
              MESSAGE,
              ARTIFACT,
              OUTCOME,
              TASK,
              TASK_INPUT,
              WORKER,
              PERSONA,
              SKILL,
              QUOTA,
              MEMORY,
              BRANCH,
              TRANSCRIPT,
              OAUTH_CLIENT,
              PERMISSION,
              PERMISSION_GRANT,
              VAULT,
              VAULT_SECRETS,
              SECRET,
              WORKSPACE_FILE,
              WORKSPACE_TREE,
              CONNECTOR,
              DELIVERY,
              DELIVERY_BODY,
              DELIVERY_KEY,
              POLL_SEEN,
              DEAD_LETTER,
              SCHEDULE,
              WEBHOOK,
              WEBHOOK_STATE,
              WEBHOOK_DELIVERY,
              WEBHOOK_AGENDA,
              WEBHOOK_LINE)
          .collect(Collectors.toUnmodifiableMap(kind -> (long) kind.number(), kind -> kind));

  /**
   * An index row that a record has.
   *
   * @param index the index's number
   * @param value the value that it tells records apart by
   */
  public record Entry(long index, String value) {}

  /** Returns the kind of a number in keys; empty where there is none. */
  public static Optional<RecordKind> of(long number) {
    return Optional.ofNullable(KINDS.get(number));
  }

  /** Returns the kind's number in keys. */
  public int number() {
    return type.number();
  }

  /** Reads a record; empty where the bytes are none. */
  public Optional<MessageLite> parse(byte[] bytes) {
    try {
      return Optional.of(type.parser().parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  /** Puts a record into all lists that it stands in, in the order of an event. */
  public <M extends MessageLite> void index(
      RecordStore<M> records, Transaction tr, String tenant, M record, PendingEventId order) {
    for (Entry entry : indexes.apply(record)) {
      records.index(tr, tenant, (int) entry.index(), entry.value(), order, id.apply(record));
    }
  }

  private static List<Entry> ofTask(Task task) {
    return List.of(
        all(),
        new Entry(BY_WORKSPACE, task.getWorkspaceId()),
        new Entry(BY_SESSION, task.getSessionId()));
  }

  private static List<Entry> ofOutcome(Outcome outcome) {
    return List.of(all(), new Entry(OUTCOMES_BY_TASK, outcome.getTaskId()));
  }

  private static List<Entry> ofQuota(Quota quota) {
    return switch (quota.getScope()) {
      case QUOTA_SCOPE_TENANT, QUOTA_SCOPE_ORGANIZATION ->
          List.of(all(), new Entry(QUOTAS_OF_TENANT, ""));
      default -> List.of(all());
    };
  }

  private static List<Entry> ofMemory(MemoryRecord record) {
    List<Entry> entries = new ArrayList<>();
    entries.add(all());
    if (!record.getWorkspaceId().isEmpty()) {
      entries.add(new Entry(BY_WORKSPACE, record.getWorkspaceId()));
    }
    if (record.getMemory().getScope() == MemoryScope.MEMORY_SCOPE_SESSION) {
      entries.add(new Entry(BY_SESSION, record.getMemory().getOwnerId()));
    }
    return entries;
  }

  private static List<Entry> ofArtifact(ArtifactRecord record) {
    var artifact = record.getArtifact();
    List<Entry> entries = new ArrayList<>();
    entries.add(all());
    entries.add(new Entry(BY_WORKSPACE, artifact.getWorkspaceId()));
    if (artifact.hasSessionId()) {
      entries.add(new Entry(BY_SESSION, artifact.getSessionId()));
    }
    if (artifact.hasTaskId()) {
      entries.add(new Entry(ARTIFACTS_BY_TASK, artifact.getTaskId()));
    }
    return entries;
  }

  /** Returns the value of {@link #PERMISSIONS_BY_ACTION} for an action of a task. */
  public static String action(String task, String fingerprint) {
    return task + " " + fingerprint;
  }

  private static List<Entry> ofPermission(PermissionRecord record) {
    var request = record.getRequest();
    return List.of(
        all(),
        new Entry(BY_WORKSPACE, record.getWorkspaceId()),
        new Entry(BY_SESSION, request.getSessionId()),
        new Entry(PERMISSIONS_BY_TASK, request.getTaskId()),
        new Entry(
            PERMISSIONS_BY_ACTION,
            action(request.getTaskId(), request.getAction().getFingerprint())));
  }

  /** Returns the id of the record of a vault's secret. */
  public static String secret(String vault, String name) {
    return vault + "/" + name;
  }

  /** Returns the id of the record of a workspace's file. */
  public static String file(String workspace, String path) {
    return workspace + "/" + path;
  }

  /** Returns the id of the records of a connector's, or a webhook's, delivery. */
  public static String delivery(String connector, String delivery) {
    return connector + "/" + delivery;
  }

  /** Returns the id of a row of a webhook's agenda, which sorts by time. */
  public static String agenda(String webhook, long at, String delivery) {
    return webhook + "/" + String.format(Locale.ROOT, "%016d", at) + "/" + delivery;
  }

  /** Returns the id of a place in a line of a webhook. */
  public static String line(String webhook, String line, String place) {
    return webhook + "/" + line + "/" + place;
  }

  private static List<Entry> ofVault(Vault vault) {
    return vault.hasWorkspaceId()
        ? List.of(all(), new Entry(BY_WORKSPACE, vault.getWorkspaceId()))
        : List.of(all());
  }

  private static Entry all() {
    return new Entry(ALL, "");
  }

  @SuppressWarnings("unchecked") // Only what the kind's own parser made is given to its functions.
  private static <M extends MessageLite> RecordKind kind(
      RecordType<M> type, String name, Function<M, String> id, Function<M, List<Entry>> indexes) {
    return new RecordKind(
        type, name, message -> id.apply((M) message), message -> indexes.apply((M) message));
  }
}
