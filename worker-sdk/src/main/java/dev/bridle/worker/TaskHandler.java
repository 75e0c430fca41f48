package dev.bridle.worker;

/**
 * Processes tasks of an agent. Called on threads of the worker, concurrently up to the number of
 * slots; it may block.
 *
 * <p>A handler may run more than once for a task: after a crash, a lost lease, a failed attempt or
 * an answered question. What it records through the {@link TaskContext} is applied once by its step
 * key, so a handler must use the same keys for the same steps in every run.
 */
@FunctionalInterface
public interface TaskHandler {
  /**
   * Processes a task. The thread is interrupted when the task is canceled or its lease is lost.
   *
   * @throws TaskFailure to end the task as failed, with a code and a message for its user
   * @throws Exception to fail this attempt; the task is retried while attempts are left
   */
  TaskResult handle(TaskContext task) throws Exception;

  /**
   * Returns the prefix of the step keys that are of one run alone, such as those with a random
   * number of the run in them; empty if there are none. Their reports are applied once like others,
   * but another run does not read them, however many there are: {@link TaskContext#recorded} is
   * false for them.
   */
  default String keysOfOneRun() {
    return "";
  }
}
