package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Optional;

/** Checks that every queue place belongs to a task that exists. */
public final class QueuePlacesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.each(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.QUEUE_PLACE),
        (tr, row) -> {
          String task = row.key().text(0);
          return records.exists(tr, TaskStore.TASK, task)
              ? Optional.empty()
              : Optional.of(
                  Fault.of(
                          FaultKind.QUEUE_ORPHANED,
                          scope.tenant(),
                          task,
                          "A place in a queue is stored for a task that does not exist.")
                      .clearing(row, again -> !records.exists(again, TaskStore.TASK, task)));
        });
  }
}
