package dev.bridle.core.work.task;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.RenewalStore;
import dev.bridle.storage.layer.TaskQueue;

/**
 * Where the parts of a task are stored.
 *
 * @param tasks records
 * @param events the event log
 * @param queue tasks that wait for a worker
 * @param due what is due when
 * @param renewals heartbeats
 * @param quotas what quotas allow and count
 */
public record TaskStores(
    TaskStore tasks,
    Events events,
    TaskQueue queue,
    DueIndex due,
    RenewalStore renewals,
    TaskQuotas quotas) {

  /** Returns the parts of a core's tasks, whose use {@code quotas} counts. */
  public static TaskStores in(CoreContext context, TaskQuotas quotas) {
    return new TaskStores(
        new TaskStore(context.layout()),
        context.events(),
        new TaskQueue(context.layout()),
        context.due(),
        new RenewalStore(context.layout()),
        quotas);
  }

  /** Begins to change a task. */
  public TaskChange change(Write write, TaskRecord before) {
    return new TaskChange(write, this, before);
  }
}
