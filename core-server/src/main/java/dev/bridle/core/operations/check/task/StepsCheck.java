package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Chunks;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.task.RecordedValues;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.TenantSpace;
import java.util.Optional;

/** Every step can be read, is the one of its key, and belongs to a task. */
public final class StepsCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    if (scope.proofs().steps().proveAll() && scope.proofs().chunks().proveAll()) {
      return;
    }
    scope.walk().step("steps of " + scope.tenant());
    Chunks chunks = new Chunks(scope.rows(), scope.tenant());
    RowCheck.each(
        scope,
        scope.rows().below(scope.tenant(), TenantSpace.STEP),
        (tr, row) ->
            row.key().items().size() == 2
                ? step(scope, tr, row)
                : chunks.check(tr, row, row.key().text(0)));
  }

  private static Optional<Fault> step(CheckScope scope, ReadTransaction tr, Row row) {
    String task = row.key().text(0);
    String step = row.key().text(1);
    Records records = new Records(scope.rows(), scope.tenant());
    long known = Proofs.record(scope.tenant(), TaskStore.TASK.name(), task);
    if (!scope.proofs().known().contains(known) && !records.exists(tr, TaskStore.TASK, task)) {
      return Optional.of(
          Fault.of(
                  FaultKind.STEP_ORPHANED,
                  scope.tenant(),
                  task,
                  "The step '" + step + "' is recorded of a task that is not there.")
              .repairedBy(
                  again ->
                      again.get(row.raw()).isPresent()
                          && !records.exists(again, TaskStore.TASK, task),
                  again -> {
                    again.clear(row.raw());
                    again.clear(scope.rows().below(scope.tenant(), TenantSpace.STEP, task, step));
                  }));
    }
    return isSound(scope.rows().whole(tr, row.raw(), row.value()), step)
        ? Optional.empty()
        : Optional.of(
            Fault.of(
                FaultKind.VALUE_DAMAGED,
                scope.tenant(),
                task,
                "The record of the step '"
                    + step
                    + "' can't be read, is another step's, or its value is not the one that it has"
                    + " the commitment of."));
  }

  /** Returns whether a value is there and the record of a step, as it was committed to. */
  public static boolean isSound(Optional<byte[]> value, String step) {
    return value
        .flatMap(StepsOfTaskCheck::parse)
        .filter(record -> record.getStep().getStepKey().equals(step))
        .filter(RecordedValues::isCommitted)
        .isPresent();
  }
}
