package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TaskQueue;
import java.util.Arrays;
import java.util.Optional;

/** Checks that every queue entry is the one of its task, which is waiting. */
public final class QueueCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("queues");
    RowCheck.clearing(
        scope,
        scope.rows().below(SystemSpace.QUEUE),
        (tr, row) -> wrong(scope, tr, row),
        (row, wrong) ->
            Fault.of(
                FaultKind.QUEUE_ORPHANED,
                row.key().text(2),
                row.key().text(4),
                "The entry " + row.key().spelled() + " in a queue " + wrong));
  }

  private static String wrong(CheckScope scope, ReadTransaction tr, Row row) {
    String task = row.key().text(4);
    String tenant = row.key().text(2);
    Optional<TaskRecord> record = new Records(scope.rows(), tenant).find(tr, TaskStore.TASK, task);
    if (record.isEmpty() || !record.get().hasQueue()) {
      return "is of a task that does not exist, or is not waiting.";
    }
    byte[] place = scope.rows().queueKeys().placeKey(tenant, task);
    boolean own =
        row.key().number(0) == TaskQueue.shardOf(task)
            && row.key().text(1).equals(record.get().getQueue().getAgentId())
            && tr.get(place)
                .filter(stamp -> Arrays.equals(stamp, row.key().stamp(3).commit()))
                .isPresent();
    return own ? "" : "is not the one at its task's place.";
  }
}
