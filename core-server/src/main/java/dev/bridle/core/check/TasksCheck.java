package dev.bridle.core.check;

import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every task is what its events tell, and its state, queue entry, lease, due entry, question and
 * outcome agree: compared in the transaction that has read its last event.
 */
final class TasksCheck implements Check {
  private static final int IDS = 500;
  private static final int AT_ONCE = 20;

  @Override
  public void run(CheckScope scope) {
    scope.walk().step("tasks of " + scope.tenant());
    Looks looks = new Looks(scope);
    scope
        .walk()
        .pages(
            scope.rows().below(scope.tenant(), TenantSpace.RECORD, RecordKind.TASK.number()),
            IDS,
            (tr, page) ->
                page.stream()
                    .filter(row -> row.key().is(Long.class, String.class))
                    .map(row -> row.key().text(1))
                    .toList(),
            ids -> {
              for (int at = 0; at < ids.size(); at += AT_ONCE) {
                looks.all(ids.subList(at, Math.min(at + AT_ONCE, ids.size())));
              }
            });
  }

  /** Looks at tasks: small ones several in a transaction, long ones in several transactions. */
  private static final class Looks {
    private final CheckScope scope;
    private final Records records;
    private final TaskLogCheck log;
    private final TaskTotalsCheck totals;
    private final List<TaskCheck> checks;

    Looks(CheckScope scope) {
      this.scope = scope;
      this.records = new Records(scope.rows(), scope.tenant());
      this.log = new TaskLogCheck(scope);
      this.totals = new TaskTotalsCheck(scope, log);
      this.checks =
          List.of(
              new StandingCheck(scope),
              new QueuePlaceCheck(scope),
              new LeaseDueCheck(scope),
              new OutcomeOfTaskCheck(scope),
              new StepsOfTaskCheck(scope));
    }

    void all(List<String> ids) {
      List<Looked> looked =
          scope.store().read(tr -> ids.stream().map(id -> look(tr, id, TaskFold.EMPTY)).toList());
      for (Looked first : looked) {
        Looked at = first;
        scope.findings().suspectAll(at.faults());
        while (at.more()) {
          Looked before = at;
          at = scope.store().read(tr -> look(tr, before.id(), before.fold()));
          scope.findings().suspectAll(at.faults());
        }
      }
    }

    private Looked look(ReadTransaction tr, String id, TaskFold before) {
      Optional<TaskRecord> found = records.find(tr, RecordKind.TASK, id, TaskRecord.class);
      if (found.isEmpty() || !found.get().getTask().getId().equals(id)) {
        return new Looked(id, before, List.of(), false); // Named where records are looked at.
      }
      TaskRecord task = found.get();
      TaskLogCheck.Step step = new TaskLogCheck.Step(before);
      boolean more = log.read(tr, task, step);
      List<Fault> faults = new ArrayList<>(step.faults());
      if (!more) {
        if (!log.overtaken(tr, task.getTask().getSessionId(), step.fold())) {
          totals.check(task, step.fold(), faults);
        }
        checks.forEach(check -> check.check(tr, task, faults));
      }
      return new Looked(id, step.fold(), faults, more);
    }
  }

  /** Looks at one side of a task, all in one transaction. */
  interface TaskCheck {
    /** Adds what is wrong. */
    void check(ReadTransaction tr, TaskRecord task, List<Fault> faults);
  }

  private record Looked(String id, TaskFold fold, List<Fault> faults, boolean more) {}
}
