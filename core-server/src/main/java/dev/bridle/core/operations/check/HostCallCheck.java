package dev.bridle.core.operations.check;

import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import java.util.List;
import java.util.Optional;

/** Checks that the tool call that a task waits for is its open question, and has its due entry. */
final class HostCallCheck implements TasksCheck.TaskCheck {
  private final CheckScope scope;
  private final DueIndex due;
  private final Records records;

  HostCallCheck(CheckScope scope) {
    this.scope = scope;
    this.due = new DueIndex(scope.layout());
    this.records = new Records(scope.rows(), scope.tenant());
  }

  /** Returns when a task's tool call times out, in Unix milliseconds; 0 if it does not. */
  static long dueAt(TaskRecord task) {
    return task.hasParked() ? 0 : task.getHostCall().getExpiresAt();
  }

  @Override
  public void check(ReadTransaction tr, TaskRecord task, List<Fault> faults) {
    String id = task.getTask().getId();
    if (task.hasHostCall() && task.getQuestionStepKey().isEmpty()) {
      faults.add(
          Fault.of(
              FaultKind.TASK_INCONSISTENT,
              scope.tenant(),
              id,
              "The task keeps a tool call, but waits with no question."));
    }
    missing(tr, task).ifPresent(entry -> faults.add(lost(entry)));
  }

  private Fault lost(DueEntry entry) {
    return Fault.of(
            FaultKind.DUE_MISSING,
            scope.tenant(),
            entry.id(),
            "The task's tool call is due at "
                + entry.dueMillis()
                + ", but has no due entry, so it never times out.")
        .repairedBy(
            again -> record(again, entry.id()).flatMap(is -> missing(again, is)).isPresent(),
            again ->
                record(again, entry.id())
                    .flatMap(is -> missing(again, is))
                    .ifPresent(is -> due.schedule(again, is)));
  }

  private Optional<TaskRecord> record(ReadTransaction tr, String id) {
    return records.find(tr, TaskStore.TASK, id);
  }

  private Optional<DueEntry> missing(ReadTransaction tr, TaskRecord task) {
    return Optional.of(
            new DueEntry(dueAt(task), DueKind.HOST_TOOL, scope.tenant(), task.getTask().getId()))
        .filter(entry -> entry.dueMillis() != 0 && !due.contains(tr, entry));
  }
}
