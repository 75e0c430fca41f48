package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.List;

/** Checks that the tool call that a task waits for is its open question. */
final class HostCallCheck implements TasksCheck.TaskCheck {
  private final CheckScope scope;

  HostCallCheck(CheckScope scope) {
    this.scope = scope;
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
  }
}
