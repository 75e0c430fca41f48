package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.proof.Proofs;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.task.TaskStore;
import java.util.Optional;

/** Checks that every outcome is the one that its task refers to. */
public final class OutcomesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("outcomes of " + scope.tenant());
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.eachRecord(
        scope,
        OutcomeStore.OUTCOME,
        (tr, id, outcome) -> {
          String task = outcome.getOutcome().getTaskId();
          if (scope.proofs().outcomes().proves(Proofs.hash(scope.tenant(), task))) {
            return Optional.empty();
          }
          return records
              .find(tr, TaskStore.TASK, task)
              .filter(named -> !named.getTask().getOutcomeId().equals(id))
              .map(
                  named ->
                      Fault.of(
                          FaultKind.OUTCOME_WRONG,
                          scope.tenant(),
                          id,
                          "The outcome is of the task " + task + ", which names another one."));
        });
  }
}
