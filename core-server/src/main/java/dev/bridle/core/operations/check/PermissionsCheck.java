package dev.bridle.core.operations.check;

import dev.bridle.core.work.permission.ActionHashes;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

/**
 * Checks that every permission request matches its task, its due entry and its hash: a pending one
 * is the one that its task waits for, and expires at its due time.
 */
final class PermissionsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("permission requests of " + scope.tenant());
    RowCheck.each(
        scope,
        scope.rows().recordKeys().recordRange(scope.tenant(), PermissionStore.PERMISSION.number()),
        (tr, row) ->
            row.key().items().size() == 2
                ? new Look(scope).at(tr, row.key().text(1))
                : Optional.empty());
  }

  private record Look(CheckScope scope) {

    Optional<Fault> at(ReadTransaction tr, String id) {
      Optional<PermissionRecord> found = find(tr, id);
      if (found.isEmpty()) {
        return Optional.empty(); // RecordsCheck reports it.
      }
      String wrong = wrong(tr, found.get());
      if (!wrong.isEmpty()) {
        return Optional.of(
            Fault.of(
                FaultKind.PERMISSION_WRONG, scope.tenant(), id, "The permission request " + wrong));
      }
      return Optional.empty();
    }

    private Optional<PermissionRecord> find(ReadTransaction tr, String id) {
      return records().find(tr, PermissionStore.PERMISSION, id);
    }

    private Records records() {
      return new Records(scope.rows(), scope.tenant());
    }

    private String wrong(ReadTransaction tr, PermissionRecord record) {
      PermissionRequest request = record.getRequest();
      boolean pending = request.getStatus() == PermissionStatus.PERMISSION_STATUS_PENDING;
      Optional<TaskRecord> task = records().find(tr, TaskStore.TASK, request.getTaskId());
      if (task.isEmpty()) {
        return ""; // RecordsCheck reports it.
      }
      boolean named = task.get().getPermissionRequestId().equals(request.getId());
      if (pending != named) {
        return pending
            ? "is pending, but its task does not wait for it."
            : "is no longer pending, but its task waits for it.";
      }
      boolean scheduled = record.getDueAt() != 0;
      if (scheduled != (pending && !task.get().hasParked())) {
        return scheduled ? "is due to expire, but not pending." : "is pending, but never expires.";
      }
      boolean used = record.getUsedByFence() != 0;
      boolean approved = request.getStatus() == PermissionStatus.PERMISSION_STATUS_APPROVED;
      if ((used && !approved) || used != request.getResponse().hasUsedAt()) {
        return "was used without an approval, or does not say when.";
      }
      return ActionHashes.shown(request).equals(request.getRequest().getContentHash())
          ? ""
          : "shows other content than its hash says.";
    }
  }
}
