package dev.bridle.core.operations.check.task;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.worker.v1.LeaseState;
import java.util.List;

/** Checks that state, queue entry, lease and question of a task's record are consistent. */
public final class TaskConsistencyCheck implements TasksCheck.TaskCheck {
  private final CheckScope scope;

  public TaskConsistencyCheck(CheckScope scope) {
    this.scope = scope;
  }

  @Override
  public void check(ReadTransaction tr, TaskRecord task, List<Fault> faults) {
    String wrong = wrong(task);
    if (!wrong.isEmpty()) {
      faults.add(
          Fault.of(
              FaultKind.TASK_INCONSISTENT,
              scope.tenant(),
              task.getTask().getId(),
              "The task is "
                  + TaskLifecycle.spell(task.getTask().getStatus())
                  + (task.hasQueue() ? ", in a queue" : ", in no queue")
                  + ", its lease "
                  + task.getLease().getState().name().substring("LEASE_STATE_".length())
                  + ": "
                  + wrong.strip()));
    }
  }

  /** Returns whether a record is consistent, and waits for nothing. */
  public static boolean quiet(TaskRecord task) {
    return !task.hasQueue()
        && !task.hasParked()
        && !task.hasHostCall()
        && task.getQuestionStepKey().isEmpty()
        && task.getPermissionRequestId().isEmpty()
        && wrong(task).isEmpty();
  }

  private static String wrong(TaskRecord task) {
    if (task.hasParked()) {
      return imported(task);
    }
    LeaseState lease = task.getLease().getState();
    boolean held = lease == LeaseState.LEASE_STATE_HELD;
    boolean parked = lease == LeaseState.LEASE_STATE_PARKED;
    boolean queued = task.hasQueue();
    boolean asked = !task.getQuestionStepKey().isEmpty();
    boolean permission = !task.getPermissionRequestId().isEmpty();
    return switch (task.getTask().getStatus()) {
          case TASK_STATUS_SUBMITTED ->
              queued && !held && !parked ? "" : "a task that has not started must be in a queue.";
          case TASK_STATUS_WORKING -> working(queued, held, parked, asked || permission);
          case TASK_STATUS_INPUT_REQUIRED -> waiting(queued || held, asked, permission);
          case TASK_STATUS_AUTH_REQUIRED -> waiting(queued || held, permission, asked);
          case TASK_STATUS_COMPLETED, TASK_STATUS_FAILED, TASK_STATUS_CANCELED ->
              queued || held || parked || asked || permission
                  ? "an ended task has no queue entry, lease or question."
                  : "";
          default -> "there is no such state.";
        }
        + due(task.getLease(), task.getCancelRequestedAt() != 0);
  }

  /** Checks a task that was imported while it was live and has not been taken over. */
  private static String imported(TaskRecord task) {
    boolean free = task.getLease().getState() == LeaseState.LEASE_STATE_FREE;
    if (TaskLifecycle.terminal(task.getTask().getStatus()) || task.hasQueue() || !free) {
      return "an imported task that was not taken over must not be ended, queued or leased.";
    }
    return due(task.getLease(), false);
  }

  private static String waiting(boolean runs, boolean asked, boolean otherwise) {
    if (runs) {
      return "it must not be leased while it waits for an answer.";
    }
    if (otherwise) {
      return "it waits for an answer of another kind than its state says.";
    }
    return asked ? "" : "it waits for an answer, but keeps no question.";
  }

  private static String working(boolean queued, boolean held, boolean parked, boolean asked) {
    if (parked || asked) {
      return "it is working, so it must not wait for an answer.";
    }
    return queued == held ? "it must be either leased or in a queue." : "";
  }

  private static String due(Lease lease, boolean cancelled) {
    return switch (lease.getState()) {
      case LEASE_STATE_HELD ->
          lease.getDueKind().equals(cancelled ? "CANCEL" : "LEASE") && lease.getDueAt() != 0
              ? ""
              : " A held lease is due for "
                  + (cancelled ? "CANCEL" : "LEASE")
                  + ", not '"
                  + lease.getDueKind()
                  + "'.";
      case LEASE_STATE_PARKED ->
          lease.getDueKind().equals("HOLD") && lease.getDueAt() == lease.getHoldUntil()
              ? ""
              : " A parked lease is due when its hold ends.";
      default -> lease.getDueAt() == 0 ? "" : " A free lease is never due.";
    };
  }
}
