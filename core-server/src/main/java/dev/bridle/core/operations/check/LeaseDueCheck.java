package dev.bridle.core.operations.check;

import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Checks that a lease with a due time has its due entry. */
final class LeaseDueCheck implements TasksCheck.TaskCheck {
  private final CheckScope scope;
  private final DueIndex due;
  private final Records records;

  LeaseDueCheck(CheckScope scope) {
    this.scope = scope;
    this.due = new DueIndex(scope.layout());
    this.records = new Records(scope.rows(), scope.tenant());
  }

  @Override
  public void check(ReadTransaction tr, TaskRecord task, List<Fault> faults) {
    Optional<DueEntry> missing = missing(tr, task);
    if (missing.isEmpty()) {
      return;
    }
    String id = task.getTask().getId();
    faults.add(
        Fault.of(
                FaultKind.DUE_MISSING,
                scope.tenant(),
                id,
                "The task's lease is due at "
                    + missing.get().dueMillis()
                    + " for "
                    + missing.get().kind()
                    + ", but has no due entry, so it never expires.")
            .repairedBy(
                again -> record(again, id).flatMap(is -> missing(again, is)).isPresent(),
                again ->
                    record(again, id)
                        .flatMap(is -> missing(again, is))
                        .ifPresent(entry -> due.schedule(again, entry))));
  }

  private Optional<TaskRecord> record(ReadTransaction tr, String id) {
    return records.find(tr, TaskStore.TASK, id);
  }

  private Optional<DueEntry> missing(ReadTransaction tr, TaskRecord task) {
    Lease lease = task.getLease();
    return Arrays.stream(DueKind.values())
        .filter(kind -> lease.getDueAt() != 0 && kind.name().equals(lease.getDueKind()))
        .map(kind -> new DueEntry(lease.getDueAt(), kind, scope.tenant(), task.getTask().getId()))
        .filter(entry -> !due.contains(tr, entry))
        .findFirst();
  }
}
