package dev.bridle.core.work.task;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskRecordOrBuilder;

/** Cancels tasks that no worker has had, for features whose tasks have a time by which to start. */
public final class UnstartedTasks {
  private final TaskStores stores;
  private final TaskCancellation cancellation;

  public UnstartedTasks(CoreContext context, TaskStores stores, TaskEndings endings) {
    this.stores = stores;
    this.cancellation =
        new TaskCancellation(
            endings,
            context.settings(TaskOptions.class),
            (tenant, task) -> {
              throw new IllegalStateException("nobody holds a task that has not started");
            });
  }

  /** Returns whether a worker has, or had, a task. */
  public static boolean isStarted(TaskRecordOrBuilder task) {
    return task.getLease().getFence() != 0;
  }

  /** Returns whether a task has ended. */
  public static boolean isOver(TaskRecordOrBuilder task) {
    return TaskLifecycle.terminal(task.getTask().getStatus());
  }

  /**
   * Cancels a task, unless a worker has had it or it has ended.
   *
   * @return whether it was canceled by this
   */
  public boolean cancel(Write write, TaskRecord task, String reason) {
    if (isStarted(task) || isOver(task)) {
      return false;
    }
    TaskChange change = stores.change(write, task);
    boolean canceled = cancellation.request(change, reason);
    if (canceled) {
      var unused = change.save();
    }
    return canceled;
  }
}
