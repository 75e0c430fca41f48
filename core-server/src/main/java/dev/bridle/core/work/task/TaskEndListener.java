package dev.bridle.core.work.task;

/**
 * Cleans up what a task waits for when the task ends. Listeners are called in the order of {@link
 * TaskEndings}, which is the order of the events that they emit.
 */
public interface TaskEndListener {
  /**
   * Called before a task takes a terminal state. Its question is still open, and its lease is
   * already free.
   */
  void onTaskEnd(TaskChange change);
}
