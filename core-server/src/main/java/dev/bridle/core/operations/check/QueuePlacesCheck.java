package dev.bridle.core.operations.check;

import dev.bridle.core.kernel.record.RecordKind;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Optional;

/** Every place in a queue is kept for a task that is there. */
final class QueuePlacesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.each(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.QUEUE_PLACE),
        (tr, row) -> {
          String task = row.key().text(0);
          return records.exists(tr, RecordKind.TASK, task)
              ? Optional.empty()
              : Optional.of(
                  Fault.of(
                          FaultKind.QUEUE_ORPHANED,
                          scope.tenant(),
                          task,
                          "A place in a queue is kept for a task that is not there.")
                      .clearing(row, again -> !records.exists(again, RecordKind.TASK, task)));
        });
  }
}
