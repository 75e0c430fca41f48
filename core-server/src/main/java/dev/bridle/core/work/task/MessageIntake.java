package dev.bridle.core.work.task;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.message.v1.Role;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskMessageMode;
import dev.bridle.task.v1.TaskStatus;

/** What becomes of a client's message to a task, by its kind and mode, and by the task's state. */
enum MessageIntake {
  /** It answers the question that the task waits for. */
  ANSWER,
  /** It decides the permission request that the task waits for, if there is one. */
  CONFIRM,
  /** It is stored in the transcript, and nothing else. */
  RECORD,
  /** It waits for the task's worker. */
  DELIVER,
  /** It becomes a task of its own. */
  FOLLOW_UP;

  /**
   * Returns what becomes of a message; {@code invalid_state_transition} where the task's state or
   * its worker does not allow it, {@code invalid_request} where kind and mode do not fit.
   */
  static MessageIntake of(AppendTaskMessageRequest request, TaskRecordOrBuilder task) {
    return request.hasMode() ? ofMode(request, task) : ofKind(request, task);
  }

  private static MessageIntake ofKind(AppendTaskMessageRequest request, TaskRecordOrBuilder task) {
    TaskStatus status = task.getTask().getStatus();
    return switch (request.getKind()) {
      case TASK_MESSAGE_KIND_TOOL_CONFIRMATION -> CONFIRM;
      case TASK_MESSAGE_KIND_INPUT -> {
        if (status != TaskStatus.TASK_STATUS_INPUT_REQUIRED) {
          throw TaskLifecycle.refused(status);
        }
        yield ANSWER;
      }
      case TASK_MESSAGE_KIND_INTERRUPT -> {
        if (TaskLifecycle.terminal(status)) {
          throw TaskLifecycle.refused(status);
        }
        yield isOfUser(request) && isTaken(task) ? DELIVER : RECORD;
      }
      default -> throw TaskLifecycle.refused(status);
    };
  }

  private static MessageIntake ofMode(AppendTaskMessageRequest request, TaskRecordOrBuilder task) {
    boolean fits =
        switch (request.getKind()) {
          case TASK_MESSAGE_KIND_INPUT -> true;
          case TASK_MESSAGE_KIND_INTERRUPT ->
              request.getMode() == TaskMessageMode.TASK_MESSAGE_MODE_INTERRUPT_IMMEDIATE;
          default -> false;
        };
    if (!fits) {
      throw ProtocolException.invalid("mode", "does not fit a message of this kind");
    }
    if (!isOfUser(request)) {
      throw ProtocolException.invalid("message.role", "must be 'user' for a message with a mode");
    }
    if (request.hasStepKey()) {
      throw ProtocolException.invalid(
          "step_key", "names a question, which a message with a mode does not answer");
    }
    if (request.getMode() == TaskMessageMode.TASK_MESSAGE_MODE_WAIT_FOR_COMPLETION) {
      return FOLLOW_UP;
    }
    if (isTaken(task)) {
      return DELIVER;
    }
    TaskStatus status = task.getTask().getStatus();
    throw TaskLifecycle.refused(
        status,
        began(status) && task.getCancelRequestedAt() == 0
            ? "The worker of the task takes no messages while it works; submit another task."
            : "The task is " + TaskLifecycle.spell(status) + ", and takes no messages now.");
  }

  /** Returns the mode of a message that waits for a worker. */
  static TaskMessageMode mode(AppendTaskMessageRequest request) {
    return request.hasMode()
        ? request.getMode()
        : TaskMessageMode.TASK_MESSAGE_MODE_INTERRUPT_IMMEDIATE;
  }

  /** Returns whether a request may leave a message that waits for a worker. */
  static boolean mayWait(AppendTaskMessageRequest request) {
    return request.hasMode() || request.getKind() == TaskMessageKind.TASK_MESSAGE_KIND_INTERRUPT;
  }

  private static boolean isOfUser(AppendTaskMessageRequest request) {
    return request.getMessage().getRole() == Role.ROLE_USER;
  }

  private static boolean isTaken(TaskRecordOrBuilder task) {
    return began(task.getTask().getStatus())
        && task.getCancelRequestedAt() == 0
        && !task.hasParked()
        && task.getLease().getTakesMessages();
  }

  private static boolean began(TaskStatus status) {
    return status != TaskStatus.TASK_STATUS_SUBMITTED && !TaskLifecycle.terminal(status);
  }
}
