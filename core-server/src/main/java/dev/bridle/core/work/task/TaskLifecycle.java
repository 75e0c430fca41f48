package dev.bridle.core.work.task;

import static dev.bridle.task.v1.TaskStatus.TASK_STATUS_AUTH_REQUIRED;
import static dev.bridle.task.v1.TaskStatus.TASK_STATUS_CANCELED;
import static dev.bridle.task.v1.TaskStatus.TASK_STATUS_COMPLETED;
import static dev.bridle.task.v1.TaskStatus.TASK_STATUS_FAILED;
import static dev.bridle.task.v1.TaskStatus.TASK_STATUS_INPUT_REQUIRED;
import static dev.bridle.task.v1.TaskStatus.TASK_STATUS_SUBMITTED;
import static dev.bridle.task.v1.TaskStatus.TASK_STATUS_WORKING;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.task.v1.TaskStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The lifecycle of a task as a table (protocol section "Task lifecycle"). Other transitions are
 * rejected, and terminal states have none. A lost attempt leaves the status unchanged: there is no
 * transition back to SUBMITTED.
 */
public final class TaskLifecycle {
  private static final Set<TaskStatus> TERMINAL =
      Set.of(TASK_STATUS_COMPLETED, TASK_STATUS_FAILED, TASK_STATUS_CANCELED);

  private static final List<Transition> TABLE =
      List.of(
          row(TASK_STATUS_SUBMITTED, TASK_STATUS_WORKING, EventKinds.TASK_STARTED),
          row(TASK_STATUS_SUBMITTED, TASK_STATUS_CANCELED, EventKinds.TASK_CANCELED),
          row(TASK_STATUS_SUBMITTED, TASK_STATUS_FAILED, EventKinds.TASK_FAILED),
          row(TASK_STATUS_WORKING, TASK_STATUS_INPUT_REQUIRED, EventKinds.TASK_INPUT_REQUIRED),
          row(TASK_STATUS_WORKING, TASK_STATUS_AUTH_REQUIRED, EventKinds.TASK_AUTH_REQUIRED),
          row(TASK_STATUS_WORKING, TASK_STATUS_COMPLETED, EventKinds.TASK_COMPLETED),
          row(TASK_STATUS_WORKING, TASK_STATUS_FAILED, EventKinds.TASK_FAILED),
          row(TASK_STATUS_WORKING, TASK_STATUS_CANCELED, EventKinds.TASK_CANCELED),
          row(TASK_STATUS_INPUT_REQUIRED, TASK_STATUS_WORKING, EventKinds.TASK_STATUS_CHANGED),
          row(TASK_STATUS_INPUT_REQUIRED, TASK_STATUS_FAILED, EventKinds.TASK_FAILED),
          row(TASK_STATUS_INPUT_REQUIRED, TASK_STATUS_CANCELED, EventKinds.TASK_CANCELED),
          row(TASK_STATUS_AUTH_REQUIRED, TASK_STATUS_WORKING, EventKinds.TASK_STATUS_CHANGED),
          row(TASK_STATUS_AUTH_REQUIRED, TASK_STATUS_FAILED, EventKinds.TASK_FAILED),
          row(TASK_STATUS_AUTH_REQUIRED, TASK_STATUS_CANCELED, EventKinds.TASK_CANCELED));

  private TaskLifecycle() {}

  /**
   * A row of the table.
   *
   * @param from the state before
   * @param to the state after
   * @param event the event of the transition
   */
  public record Transition(TaskStatus from, TaskStatus to, String event) {}

  /** Returns the whole table. */
  public static List<Transition> table() {
    return TABLE;
  }

  /** Returns whether a state is final. */
  public static boolean terminal(TaskStatus status) {
    return TERMINAL.contains(status);
  }

  /** Returns the row for a transition, if it is allowed. */
  public static Optional<Transition> find(TaskStatus from, TaskStatus to) {
    return TABLE.stream().filter(row -> row.from() == from && row.to() == to).findFirst();
  }

  /** Returns the row for a transition; {@code invalid_state_transition} where it is not allowed. */
  public static Transition need(TaskStatus from, TaskStatus to) {
    return find(from, to).orElseThrow(() -> refused(from).with("requested", spell(to)));
  }

  /** Returns the error for an operation that the task's state does not allow. */
  public static ProtocolException refused(TaskStatus from) {
    return refused(from, "The task is " + spell(from) + ", which does not allow this.");
  }

  /** Returns that error with a message of its own. */
  static ProtocolException refused(TaskStatus from, String message) {
    return ProtocolException.of(ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION, message)
        .with("status", spell(from));
  }

  /** Returns a state as the protocol spells it. */
  public static String spell(TaskStatus status) {
    return status.name().substring("TASK_STATUS_".length());
  }

  private static Transition row(TaskStatus from, TaskStatus to, String event) {
    return new Transition(from, to, event);
  }
}
