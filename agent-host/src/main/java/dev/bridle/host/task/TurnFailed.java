package dev.bridle.host.task;

import dev.bridle.worker.TaskFailure;

/** Thrown where an agent answered a prompt with an error, and is there for the next one. */
final class TurnFailed extends Exception {
  private static final long serialVersionUID = 1L;

  private final TaskFailure failure;

  TurnFailed(TaskFailure failure) {
    super(failure.getMessage(), failure);
    this.failure = failure;
  }

  /** Returns what the task fails with, if nothing follows. */
  TaskFailure failure() {
    return failure;
  }
}
