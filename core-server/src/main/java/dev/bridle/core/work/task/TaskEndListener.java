package dev.bridle.core.work.task;

/**
 * Cleans up what a task waits for when the task ends or stops waiting. Listeners are called in the
 * order of {@link TaskEndings}, which is the order of the events that they emit.
 */
public interface TaskEndListener {
  /**
   * Called before a task takes a terminal state, or is to be stopped while its process works. Its
   * question is still open, and its lease is not held.
   */
  void onTaskEnd(TaskChange change);
}
