package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.replay.ReplayWait;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.task.v1.TaskStatus;

/**
 * Handles tasks whose attempt ended without ending the task: the task is requeued with its status
 * unchanged, until its attempts are used up; if its cancellation was requested, it is canceled,
 * since no worker runs it any more.
 */
final class LostAttempts {
  /**
   * Limits restarts, for a task that crashes its server each time; most tasks are not the cause.
   */
  static final int MAX_SERVER_RESTARTS = 25;

  private static final Failure RESTARTED =
      Failure.newBuilder()
          .setCode("server_restarted")
          .setMessage("The server stopped while its own worker ran the task.")
          .build();

  private final TaskEndings endings;
  private final TaskOptions options;
  private final ReplayWait wait;

  LostAttempts(TaskEndings endings, TaskOptions options, ReplayWait wait) {
    this.endings = endings;
    this.options = options;
    this.wait = wait;
  }

  /**
   * Ends the current attempt.
   *
   * @param cause what ended it: the reason in the event, and in the failure of a task without
   *     attempts left
   */
  void lose(TaskChange change, Failure cause) {
    change.freeLease();
    if (change.record().getCancelRequestedAt() != 0) {
      endings.cancel(change);
      return;
    }
    if (change.status() != TaskStatus.TASK_STATUS_WORKING) {
      return; // A parked process is gone; the question stays open.
    }
    requeueOrFail(change, cause, change.loseAttempt() < options.maxAttempts());
  }

  /** Handles an attempt that ended with the server that ran it. */
  void restarted(TaskChange change) {
    interrupted(change, RESTARTED);
  }

  /** Handles an attempt that ended with its process, which the task need not have caused. */
  void interrupted(TaskChange change, Failure cause) {
    boolean working = change.status() == TaskStatus.TASK_STATUS_WORKING;
    change.freeLease();
    if (change.record().getCancelRequestedAt() != 0) {
      endings.cancel(change);
    } else if (working) {
      requeueOrFail(change, cause, change.countRestart() < MAX_SERVER_RESTARTS);
    }
  }

  /** Ends an attempt without counting it, since the storage was restored or moved. */
  void voided(TaskChange change, Failure cause) {
    requeueOrFail(change, cause, true);
  }

  /** Cancels a task whose cancellation was requested, since no worker runs it any more. */
  void canceled(TaskChange change) {
    endings.cancel(change);
  }

  /** Fails a task that may not begin or continue. */
  void refused(TaskChange change, Failure cause) {
    endings.fail(change, cause);
  }

  /** Revokes a lease that was not delivered to its worker. */
  void undelivered(TaskChange change) {
    change.freeLease();
    if (change.record().getCancelRequestedAt() != 0) {
      endings.cancel(change);
    } else {
      change.enqueue("", 0);
      wait.begin(change);
    }
  }

  private void requeueOrFail(TaskChange change, Failure cause, boolean again) {
    change.emit(
        EventDraft.of(
            EventKinds.ATTEMPT_ENDED,
            Payload.of()
                .number("attempt", change.record().getAttempt())
                .text("reason", cause.getCode())
                .text("message", cause.getMessage())));
    if (again) {
      change.enqueueNextAttempt();
      wait.begin(change);
      return;
    }
    int attempts = change.record().getAttempt();
    endings.fail(
        change,
        Failure.newBuilder()
            .setCode("attempts_exhausted")
            .setMessage(
                "All " + attempts + " attempts ended early; the last one: " + cause.getMessage())
            .setDetails(
                Payload.of()
                    .text("last_reason", cause.getCode())
                    .number("attempts", attempts)
                    .json())
            .build());
  }
}
