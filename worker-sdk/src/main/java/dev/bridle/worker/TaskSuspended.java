package dev.bridle.worker;

/**
 * Thrown in a handler that waits for an answer: its lease is released, and it runs again when there
 * is an answer. A handler must let it propagate, as with {@link TaskCancelled}.
 */
public final class TaskSuspended extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TaskSuspended() {
    super("the task waits for an answer, after which its handler runs again");
  }
}
