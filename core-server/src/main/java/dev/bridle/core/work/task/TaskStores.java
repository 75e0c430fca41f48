package dev.bridle.core.work.task;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.RenewalStore;
import dev.bridle.storage.layer.TaskQueue;

/**
 * The stores that a task's state is kept in.
 *
 * @param tasks records
 * @param events the event log
 * @param queue the queue of tasks that wait for a worker
 * @param due the due index
 * @param renewals heartbeats
 * @param quotas quota checks and counters
 * @param facts the facts for receipts
 */
public record TaskStores(
    TaskStore tasks,
    Events events,
    TaskQueue queue,
    DueIndex due,
    RenewalStore renewals,
    TaskQuotas quotas,
    TaskFactStore facts) {

  /** Creates the stores. */
  public static TaskStores in(CoreContext context, TaskQuotas quotas) {
    return new TaskStores(
        new TaskStore(context.layout()),
        context.events(),
        new TaskQueue(context.layout()),
        context.due(),
        new RenewalStore(context.layout()),
        quotas,
        new TaskFactStore(context.layout()));
  }

  /** Begins a change of a task. */
  public TaskChange change(Write write, TaskRecord before) {
    return new TaskChange(write, this, before);
  }
}
