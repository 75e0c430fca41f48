package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.log.TaskFold;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Checks that every task matches its events, and that its state, queue entry, lease, question and
 * outcome are consistent, in the transaction that reads its last event.
 */
public final class TasksCheck implements Check {
  private static final int IDS = 500;
  private static final int AT_ONCE = 20;

  @Override
  public void run(CheckScope scope) {
    if (scope.proofs().ofAllTasks()) {
      return;
    }
    scope.walk().step("tasks of " + scope.tenant());
    Looks looks = new Looks(scope);
    scope
        .walk()
        .pages(
            scope.rows().recordKeys().recordRange(scope.tenant(), TaskStore.TASK.number()),
            IDS,
            (tr, page) ->
                page.stream()
                    .filter(row -> row.key().is(Long.class, String.class))
                    .map(row -> row.key().text(1))
                    .filter(id -> !scope.proofs().ofTask(scope.tenant(), id))
                    .toList(),
            looks::all);
  }

  /** Checks tasks: several small ones in a transaction, long ones in several transactions. */
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
              new TaskConsistencyCheck(scope),
              new QueuePlaceCheck(scope),
              new OutcomeOfTaskCheck(scope),
              new StepsOfTaskCheck(scope),
              new PermissionOfTaskCheck(scope),
              new HostCallCheck(scope));
    }

    void all(List<String> ids) {
      Deque<Looked> rest = new ArrayDeque<>();
      ids.forEach(id -> rest.add(new Looked(id, TaskFold.EMPTY, List.of(), 0, true)));
      while (!rest.isEmpty()) {
        for (Looked looked : scope.store().read(tr -> some(tr, rest))) {
          rest.removeFirst();
          scope.findings().suspectAll(looked.faults());
          if (looked.more()) {
            rest.addFirst(looked); // It continues in the next transaction.
          }
        }
      }
    }

    /** Checks the next tasks, as many as fit into the events that one transaction reads. */
    private List<Looked> some(ReadTransaction tr, Deque<Looked> rest) {
      List<Looked> some = new ArrayList<>();
      int left = TaskLogCheck.PIECE;
      for (Looked next : rest) {
        if (left == 0 || some.size() == AT_ONCE) {
          break;
        }
        Looked looked = look(tr, next.id(), next.fold(), left);
        left -= looked.read();
        some.add(looked);
      }
      return some;
    }

    private Looked look(ReadTransaction tr, String id, TaskFold before, int limit) {
      Optional<TaskRecord> found = records.find(tr, TaskStore.TASK, id);
      if (found.isEmpty() || !found.get().getTask().getId().equals(id)) {
        return new Looked(id, before, List.of(), 0, false); // RecordsCheck reports it.
      }
      TaskRecord task = found.get();
      TaskLogCheck.Step step = new TaskLogCheck.Step(before);
      boolean more = log.read(tr, task, step, limit);
      List<Fault> faults = new ArrayList<>(step.faults());
      if (!more) {
        if (!log.overtaken(tr, task.getTask().getSessionId(), step.fold())) {
          totals.check(task, step.fold(), faults);
        }
        checks.forEach(check -> check.check(tr, task, faults));
      }
      return new Looked(id, step.fold(), faults, step.read(), more);
    }
  }

  /** Checks one aspect of a task, in one transaction. */
  public interface TaskCheck {
    /** Adds the faults of a task. */
    void check(ReadTransaction tr, TaskRecord task, List<Fault> faults);
  }

  private record Looked(String id, TaskFold fold, List<Fault> faults, int read, boolean more) {}
}
