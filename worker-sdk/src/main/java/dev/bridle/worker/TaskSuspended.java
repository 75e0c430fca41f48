package dev.bridle.worker;

/**
 * Ends a handler that has asked a question: its lease is free, and it runs again once there is an
 * answer. A handler lets it pass, as with {@link TaskCancelled}.
 */
public final class TaskSuspended extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TaskSuspended() {
    super("the task waits for an answer; its handler runs again then");
  }
}
