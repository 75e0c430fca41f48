package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.task.v1.TaskStatus;

/**
 * What becomes of a task whose attempt ended without ending it: it goes back into the queue, status
 * unchanged, until its attempts are used up; a task whose cancellation was asked for is canceled,
 * since nothing of it runs any more.
 */
final class LostAttempts {
  /** A task that stops its server each time must end some day, though most are only bystanders. */
  static final int MAX_SERVER_RESTARTS = 25;

  private static final Failure RESTARTED =
      Failure.newBuilder()
          .setCode("server_restarted")
          .setMessage("The server stopped while its own worker ran the task.")
          .build();

  private final TaskEndings endings;
  private final TaskOptions options;

  LostAttempts(TaskEndings endings, TaskOptions options) {
    this.endings = endings;
    this.options = options;
  }

  /**
   * Ends the current attempt.
   *
   * @param cause what ended it: its code tells the event, and the failure of a task without
   *     attempts left
   */
  void lose(TaskChange change, Failure cause) {
    change.freeLease();
    if (change.record().getCancelRequestedAt() != 0) {
      endings.cancel(change);
      return;
    }
    if (change.status() != TaskStatus.TASK_STATUS_WORKING) {
      return; // A parked process went away; the question stands.
    }
    goOn(change, cause, change.loseAttempt() < options.maxAttempts());
  }

  /** Ends an attempt that ended with the server that ran it. */
  void restarted(TaskChange change) {
    boolean working = change.status() == TaskStatus.TASK_STATUS_WORKING;
    change.freeLease();
    if (change.record().getCancelRequestedAt() != 0) {
      endings.cancel(change);
    } else if (working) {
      goOn(change, RESTARTED, change.countRestart() < MAX_SERVER_RESTARTS);
    }
  }

  /**
   * Ends an attempt through no fault of the task's, which counts against nothing: the storage under
   * it was restored or moved.
   */
  void voided(TaskChange change, Failure cause) {
    goOn(change, cause, true);
  }

  /** Ends a task whose cancellation was asked for, since nothing of it runs any more. */
  void canceled(TaskChange change) {
    endings.cancel(change);
  }

  /** Ends a task that may not begin or go on. */
  void refused(TaskChange change, Failure cause) {
    endings.fail(change, cause);
  }

  /** Takes back a lease that its worker never got. */
  void undelivered(TaskChange change) {
    change.freeLease();
    if (change.record().getCancelRequestedAt() != 0) {
      endings.cancel(change);
    } else {
      change.enqueue("", 0);
    }
  }

  private void goOn(TaskChange change, Failure cause, boolean again) {
    change.emit(
        EventDraft.of(
            EventKinds.ATTEMPT_ENDED,
            Payload.of()
                .number("attempt", change.record().getAttempt())
                .text("reason", cause.getCode())
                .text("message", cause.getMessage())));
    if (again) {
      change.enqueueNextAttempt();
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
