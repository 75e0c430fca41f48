package dev.bridle.core.operations.check;

import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.TaskRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that every outcome is the one that its task refers to. */
final class OutcomesCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("outcomes of " + scope.tenant());
    Records records = new Records(scope.rows(), scope.tenant());
    scope
        .walk()
        .pages(
            scope.rows().recordKeys().recordRange(scope.tenant(), OutcomeStore.OUTCOME.number()),
            Walk.PAGE,
            (tr, page) -> {
              List<Fault> faults = new ArrayList<>();
              for (Row row : page) {
                Optional<OutcomeRecord> outcome =
                    row.key().is(Long.class, String.class)
                        ? records.find(tr, OutcomeStore.OUTCOME, row.key().text(1))
                        : Optional.empty();
                String task = outcome.map(record -> record.getOutcome().getTaskId()).orElse("");
                Optional<TaskRecord> named = records.find(tr, TaskStore.TASK, task);
                if (named.isPresent()
                    && !named.get().getTask().getOutcomeId().equals(row.key().text(1))) {
                  faults.add(
                      Fault.of(
                          FaultKind.OUTCOME_WRONG,
                          scope.tenant(),
                          row.key().text(1),
                          "The outcome is of the task " + task + ", which names another one."));
                }
              }
              return faults;
            },
            scope.findings()::suspectAll);
  }
}
