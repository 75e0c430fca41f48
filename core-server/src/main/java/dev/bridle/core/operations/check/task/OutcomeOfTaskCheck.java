package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.outcome.v1.OutcomeStatus;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import java.util.List;
import java.util.Optional;

/**
 * Checks that a task has its own outcome with the matching status if, and only if, it has ended.
 */
public final class OutcomeOfTaskCheck implements TasksCheck.TaskCheck {
  private final CheckScope scope;
  private final Records records;

  public OutcomeOfTaskCheck(CheckScope scope) {
    this.scope = scope;
    this.records = new Records(scope.rows(), scope.tenant());
  }

  @Override
  public void check(ReadTransaction tr, TaskRecord record, List<Fault> faults) {
    Task task = record.getTask();
    String wrong = wrong(tr, task);
    if (!wrong.isEmpty()) {
      faults.add(
          Fault.of(
              FaultKind.OUTCOME_WRONG,
              scope.tenant(),
              task.getId(),
              "The task is " + TaskLifecycle.spell(task.getStatus()) + wrong));
    }
  }

  private String wrong(ReadTransaction tr, Task task) {
    String id = task.getOutcomeId();
    if (!TaskLifecycle.terminal(task.getStatus())) {
      return id.isEmpty() ? "" : ", but names the outcome " + id + ".";
    }
    if (id.isEmpty()) {
      return ", but names no outcome.";
    }
    Optional<OutcomeRecord> outcome = records.find(tr, OutcomeStore.OUTCOME, id);
    if (outcome.isEmpty()) {
      return ", but its outcome " + id + " is not there.";
    }
    if (!outcome.get().getOutcome().getTaskId().equals(task.getId())) {
      return ", but its outcome " + id + " is another task's.";
    }
    OutcomeStatus recorded = outcome.get().getOutcome().getStatus();
    return recorded == status(task.getStatus()) ? "" : ", but its outcome says " + recorded + ".";
  }

  /** Returns the status of the outcome of an ended task. */
  public static OutcomeStatus status(TaskStatus status) {
    return switch (status) {
      case TASK_STATUS_COMPLETED -> OutcomeStatus.OUTCOME_STATUS_SUCCEEDED;
      case TASK_STATUS_FAILED -> OutcomeStatus.OUTCOME_STATUS_FAILED;
      default -> OutcomeStatus.OUTCOME_STATUS_CANCELED;
    };
  }
}
