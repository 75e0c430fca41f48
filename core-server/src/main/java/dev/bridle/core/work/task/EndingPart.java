package dev.bridle.core.work.task;

/**
 * Ends what a task waits with, or keeps, when the task itself ends. Parts are asked in the order in
 * which {@link TaskEndings} has them, which is the order of the events that they store.
 */
public interface EndingPart {
  /**
   * Ends this part of a task that is about to take a terminal state. The task's question is still
   * there, and its lease is gone.
   */
  void taskEnds(TaskChange change);
}
