package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.permission.ActionHashes;
import dev.bridle.core.work.permission.ModifiedAction;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

/**
 * Checks that every permission request matches its task and its hash: a pending one is the one that
 * its task waits for, and is due to expire.
 */
public final class PermissionsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("permission requests of " + scope.tenant());
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.eachRecord(
        scope,
        PermissionStore.PERMISSION,
        (tr, id, record) ->
            Optional.of(wrong(tr, records, record))
                .filter(wrong -> !wrong.isEmpty())
                .map(
                    wrong ->
                        Fault.of(
                            FaultKind.PERMISSION_WRONG,
                            scope.tenant(),
                            id,
                            "The permission request " + wrong)));
  }

  private static String wrong(ReadTransaction tr, Records records, PermissionRecord record) {
    PermissionRequest request = record.getRequest();
    boolean pending = request.getStatus() == PermissionStatus.PERMISSION_STATUS_PENDING;
    Optional<TaskRecord> task = records.find(tr, TaskStore.TASK, request.getTaskId());
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
    if (PermissionStore.isRedacted(request)) {
      return ""; // RedactionsCheck looks at it.
    }
    if (PermissionStore.isModified(request)
        && !(approved && ModifiedAction.isApproved(request, task.get().getTask()))) {
      return "was not approved with the arguments that it says.";
    }
    return ActionHashes.shown(request).equals(request.getRequest().getContentHash())
        ? ""
        : "shows other content than its hash says.";
  }
}
