package dev.bridle.worker;

/**
 * What an agent does with a task. Called on a thread of the worker, with as many calls at a time as
 * the worker has slots; it may block.
 *
 * <p>A handler may run more than once for a task: after a crash, a lost lease, a failed attempt or
 * an answered question. What it tells through the {@link TaskContext} is applied once by its step
 * key, so a handler must use the same keys in the same places of every run.
 */
@FunctionalInterface
public interface TaskHandler {
  /**
   * Does the task. The thread is interrupted when the task is canceled or its lease is lost.
   *
   * @throws TaskFailure to end the task as failed, with a code and a sentence for its user
   * @throws Exception to end this attempt; the task is tried again while attempts are left
   */
  TaskResult handle(TaskContext task) throws Exception;
}
