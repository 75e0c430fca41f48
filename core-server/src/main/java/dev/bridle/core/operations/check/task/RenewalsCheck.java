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
import dev.bridle.storage.layer.TenantSpace;
import dev.bridle.worker.v1.LeaseState;
import java.util.Optional;

/** Checks that heartbeats are stored only for leases that are held. */
public final class RenewalsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    RowCheck.each(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.RENEWAL),
        (tr, row) ->
            held(scope, tr, row)
                ? Optional.empty()
                : Optional.of(
                    Fault.of(
                            FaultKind.RENEWAL_ORPHANED,
                            scope.tenant(),
                            row.key().text(0),
                            "Heartbeats are stored for lease "
                                + row.key().number(1)
                                + " of the task, which is not held.")
                        .clearing(row, again -> !held(scope, again, row))));
  }

  private static boolean held(CheckScope scope, ReadTransaction tr, Row row) {
    return new Records(scope.rows(), scope.tenant())
        .find(tr, TaskStore.TASK, row.key().text(0))
        .map(TaskRecord::getLease)
        .filter(
            lease ->
                lease.getFence() == row.key().number(1)
                    && (lease.getState() == LeaseState.LEASE_STATE_HELD
                        || lease.getState() == LeaseState.LEASE_STATE_PARKED))
        .isPresent();
  }
}
