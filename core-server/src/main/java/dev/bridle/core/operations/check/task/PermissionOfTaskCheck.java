package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.List;

/** Checks that the permission request that a task waits for is its own, and pending. */
final class PermissionOfTaskCheck implements TasksCheck.TaskCheck {
  private final CheckScope scope;
  private final Records records;

  PermissionOfTaskCheck(CheckScope scope) {
    this.scope = scope;
    this.records = new Records(scope.rows(), scope.tenant());
  }

  @Override
  public void check(ReadTransaction tr, TaskRecord task, List<Fault> faults) {
    String id = task.getPermissionRequestId();
    boolean sound =
        id.isEmpty()
            || records
                .find(tr, PermissionStore.PERMISSION, id)
                .filter(
                    record ->
                        record.getRequest().getTaskId().equals(task.getTask().getId())
                            && record.getRequest().getStatus()
                                == PermissionStatus.PERMISSION_STATUS_PENDING)
                .isPresent();
    if (!sound) {
      faults.add(
          Fault.of(
              FaultKind.TASK_INCONSISTENT,
              scope.tenant(),
              task.getTask().getId(),
              "The task waits with the permission request "
                  + id
                  + ", which is not there, not pending or another task's."));
    }
  }
}
