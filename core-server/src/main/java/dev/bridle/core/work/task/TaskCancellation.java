package dev.bridle.core.work.task;

import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.record.v1.Lease;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;

/**
 * Cancels tasks cooperatively: a task that no worker runs is CANCELED at once; otherwise its worker
 * is asked to stop, and fenced off after the grace period. So is one whose process works while the
 * task waits for an answer, which is withdrawn.
 */
final class TaskCancellation {
  private final TaskEndings endings;
  private final TaskOptions options;
  private final CancelListener listener;

  TaskCancellation(TaskEndings endings, TaskOptions options, CancelListener listener) {
    this.endings = endings;
    this.options = options;
    this.listener = listener;
  }

  /** Notifies the worker that holds a task. To be called once the request is durable. */
  void notifyWorker(String tenant, String task) {
    listener.cancelRequested(tenant, task);
  }

  /**
   * Requests a task's cancellation. Idempotent.
   *
   * @return whether the task was changed
   */
  boolean request(TaskChange change, String reason) {
    TaskStatus status = change.status();
    if (status == TaskStatus.TASK_STATUS_CANCELED) {
      return false;
    }
    if (TaskLifecycle.terminal(status)) {
      throw TaskLifecycle.refused(status);
    }
    if (change.record().getCancelRequestedAt() != 0) {
      return false;
    }
    change.requestCancel(reason);
    change.emit(
        EventDraft.of(EventKinds.USER_CANCEL_REQUESTED, Payload.of().text("reason", reason)));
    Lease lease = change.record().getLease();
    if (lease.getState() == LeaseState.LEASE_STATE_PARKED && lease.getWorksWhileParked()) {
      endings.withdrawQuestion(change);
    }
    if (change.record().getLease().getState() == LeaseState.LEASE_STATE_HELD) {
      change.scheduleLease(
          DueKind.CANCEL, change.write().nowMillis() + options.cancelGrace().toMillis());
    } else {
      endings.cancel(change);
    }
    return true;
  }
}
