package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.log.TaskFold;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskTotals;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;

/**
 * Checks that state, next sequence number, digest and counts of a task's record match its events.
 */
final class TaskTotalsCheck {
  /** The maximum number of a task's events that a repair counts again in its transaction. */
  private static final int RECOUNTED = 10 * TaskLogCheck.PIECE;

  private final CheckScope scope;
  private final Records records;
  private final TaskLogCheck log;
  private final RecordStore<TaskRecord> store;

  TaskTotalsCheck(CheckScope scope, TaskLogCheck log) {
    this.scope = scope;
    this.records = new Records(scope.rows(), scope.tenant());
    this.log = log;
    this.store = TaskStore.TASK.store(scope.layout());
  }

  void check(TaskRecord task, TaskFold fold, List<Fault> faults) {
    if (task.getNextSequence() != fold.next()) {
      faults.add(
          counted(
              FaultKind.COUNTER_WRONG,
              task,
              fold,
              "The next event of the task would be number "
                  + task.getNextSequence()
                  + ", but its log goes on with "
                  + fold.next()
                  + "."));
    }
    if (!fold.whole()) {
      return; // The gap has been reported; the rest can't be compared.
    }
    if (!task.getLogDigestState().equals(fold.digest())) {
      faults.add(
          counted(
              FaultKind.DIGEST_WRONG,
              task,
              fold,
              "The digest that the task keeps is not that of its " + fold.next() + " events."));
    }
    if (!task.getTotals().equals(fold.totals())) {
      faults.add(
          counted(
              FaultKind.COUNT_WRONG,
              task,
              fold,
              "The task has counted "
                  + spelled(task.getTotals())
                  + "; its events have "
                  + spelled(fold.totals())
                  + "."));
    }
    state(task, fold, faults);
  }

  private void state(TaskRecord task, TaskFold fold, List<Fault> faults) {
    var status = task.getTask().getStatus();
    boolean same = fold.status().equals(Optional.of(status));
    if (same && fold.ended() == TaskLifecycle.terminal(status)) {
      return;
    }
    faults.add(
        Fault.of(
            FaultKind.TASK_STATE_WRONG,
            scope.tenant(),
            task.getTask().getId(),
            "The task is "
                + TaskLifecycle.spell(status)
                + ", but its events lead to "
                + fold.status().map(TaskLifecycle::spell).orElse("no state")
                + (fold.ended() ? ", with an end." : ", without an end.")));
  }

  /**
   * Returns a fault in a count that a repair can take from the events. At most one of digest and
   * next number may be wrong: if neither confirms the log, events may be lost, which a repair would
   * hide. A log that is too long for one transaction is not counted again.
   */
  private Fault counted(FaultKind kind, TaskRecord task, TaskFold fold, String sentence) {
    String id = task.getTask().getId();
    Fault fault = Fault.of(kind, scope.tenant(), id, sentence);
    return fold.next() > RECOUNTED
        ? fault
        : fault.repairableIf(
            tr -> {
              Optional<TaskRecord> after = mended(tr, id);
              Optional<TaskRecord> before = records.find(tr, TaskStore.TASK, id);
              after.ifPresent(is -> store.update(tr, scope.tenant(), id, before.orElseThrow(), is));
              return after.isPresent();
            });
  }

  /**
   * Returns the record with the state of its events; empty if it matches already, or if that can't
   * be determined.
   */
  private Optional<TaskRecord> mended(ReadTransaction tr, String id) {
    Optional<TaskRecord> found = records.find(tr, TaskStore.TASK, id);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    TaskRecord task = found.get();
    TaskLogCheck.Step step = new TaskLogCheck.Step(TaskFold.EMPTY);
    boolean more = true;
    for (int read = 0; more && read <= RECOUNTED; read += TaskLogCheck.PIECE) {
      more = log.read(tr, task, step, TaskLogCheck.PIECE);
    }
    if (more) {
      return Optional.empty();
    }
    TaskFold fold = step.fold();
    boolean vouched =
        fold.whole()
            && (task.getNextSequence() == fold.next()
                || task.getLogDigestState().equals(fold.digest()));
    TaskRecord after =
        task.toBuilder()
            .setNextSequence(fold.next())
            .setLogDigestState(fold.digest())
            .setTotals(fold.totals())
            .build();
    return vouched && !after.equals(task) ? Optional.of(after) : Optional.empty();
  }

  private static String spelled(TaskTotals totals) {
    return totals.getEvents()
        + " events, "
        + totals.getMessages()
        + " messages, "
        + totals.getArtifacts()
        + " artifacts, "
        + totals.getDependencies()
        + " dependencies";
  }
}
