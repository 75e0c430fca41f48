package dev.bridle.core.operations.check;

import dev.bridle.core.integrations.connector.ConnectorStore;
import dev.bridle.core.integrations.connector.DeliveryStore;
import dev.bridle.core.integrations.schedule.Schedules;
import dev.bridle.core.integrations.webhook.WebhookStore;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.memory.MemoryStore;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.Lease;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.SystemSpace;
import java.util.Optional;

/** Checks that every due entry refers to something that is due at that time. */
final class DueCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("due entries");
    RowCheck.clearing(
        scope,
        scope.rows().below(SystemSpace.DUE),
        (tr, row) -> wrong(scope, tr, row),
        (row, wrong) ->
            Fault.of(
                FaultKind.DUE_ORPHANED,
                row.key().text(3),
                row.key().text(4),
                "The due entry " + row.key().spelled() + " " + wrong));
  }

  private static String wrong(CheckScope scope, ReadTransaction tr, Row row) {
    long dueAt = row.key().number(1);
    String tenant = row.key().text(3);
    String id = row.key().text(4);
    Optional<DueKind> kind = DueKind.find(row.key().number(2));
    if (kind.isEmpty()) {
      return "is of an unknown kind.";
    }
    if (row.key().number(0) != DueIndex.shardOf(id)) {
      return "lies in another shard than its own.";
    }
    Records records = new Records(scope.rows(), tenant);
    return switch (kind.get()) {
      case LEASE, CANCEL, HOLD ->
          records
                  .find(tr, TaskStore.TASK, id)
                  .filter(task -> owns(task.getLease(), dueAt, kind.get()))
                  .isPresent()
              ? ""
              : "is about a task that is not there, or not due then.";
      case IDEMPOTENCY ->
          new IdempotencyRows(scope.rows(), tenant).mayExpire(tr, id, dueAt)
              ? ""
              : "is about an idempotency record that is not there, or not due then.";
      case PERMISSION ->
          records
                  .find(tr, PermissionStore.PERMISSION, id)
                  .filter(record -> record.getDueAt() == dueAt)
                  .isPresent()
              ? ""
              : "is about a permission request that is not there, or not due then.";
      case HOST_TOOL ->
          records
                  .find(tr, TaskStore.TASK, id)
                  .filter(task -> HostCallCheck.dueAt(task) == dueAt)
                  .isPresent()
              ? ""
              : "is about a tool call that no task waits with, or that is not due then.";
      case DELIVERY ->
          records
                  .find(tr, DeliveryStore.DELIVERY, id)
                  .filter(record -> record.getDueAt() == dueAt)
                  .isPresent()
              ? ""
              : "is about a delivery that is not there, or not due then.";
      case SCHEDULE ->
          records
                  .find(tr, Schedules.SCHEDULE, id)
                  .filter(record -> record.getDueAt() == dueAt)
                  .isPresent()
              ? ""
              : "is about a schedule that is not there, or not due then.";
      case WEBHOOK ->
          records
                  .find(tr, WebhookStore.WEBHOOK_STATE, id)
                  .filter(state -> state.getDueAt() == dueAt)
                  .isPresent()
              ? ""
              : "is about a webhook that is not there, or not due then.";
      case POLL ->
          records
                  .find(tr, ConnectorStore.CONNECTOR, id)
                  .filter(record -> record.getPolls().getDueAt() == dueAt)
                  .isPresent()
              ? ""
              : "is about a connector that is not there, or does not poll then.";
      case MEMORY ->
          records
                  .find(tr, MemoryStore.MEMORY, id)
                  .filter(record -> MemoryStore.expiresAt(record) == dueAt)
                  .isPresent()
              ? ""
              : "is about a memory that is not there, or does not expire then.";
      case UPLOAD ->
          records.exists(tr, ArtifactStore.ARTIFACT, BlobRows.artifactOf(id))
              ? ""
              : "is about an upload to an artifact that is not there.";
    };
  }

  private static boolean owns(Lease lease, long dueAt, DueKind kind) {
    return lease.getDueAt() == dueAt && lease.getDueKind().equals(kind.name());
  }
}
