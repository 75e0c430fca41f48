package dev.bridle.core.work.task;

import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.Task;

/**
 * Grants the lease of a new task in the transaction that submits it, where a worker of this process
 * waits for such a task and no other is queued: a task needs one transaction less.
 */
public interface DirectLeases {

  /** Begins a submission of a tenant, outside of its transaction. */
  Offer offer(String tenant);

  /** A submission's task as it is offered to workers. Not thread-safe. */
  interface Offer extends AutoCloseable {
    /** Offers nothing: tasks are queued. */
    Offer NONE =
        new Offer() {
          @Override
          public boolean grant(TaskChange change) {
            return false;
          }

          @Override
          public void granted(Task task, TaskRecord record) {}

          @Override
          public void deliver(Task applied) {}

          @Override
          public void close() {}
        };

    /**
     * Grants the lease to a worker that waits, in each attempt of the transaction anew.
     *
     * @return whether there is one; if not, the task is to be queued
     */
    boolean grant(TaskChange change);

    /** Sets what the worker will get: the task with its input, and the record with the lease. */
    void granted(Task task, TaskRecord record);

    /**
     * Sends the lease, if the attempt that was applied granted it; runs after the commit.
     *
     * @param applied the task that the command answered with: another one where a command with the
     *     same idempotency key was applied in between
     */
    void deliver(Task applied);

    /** Ends the submission; a worker that gets nothing goes on waiting. */
    @Override
    void close();
  }
}
