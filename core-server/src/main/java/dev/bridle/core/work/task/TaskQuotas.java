package dev.bridle.core.work.task;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.TaskRecord;
import java.util.Optional;

/**
 * What quotas say of tasks, and what they count of them (protocol section "Quota"). A task is bound
 * by the quotas that hold when it is submitted, until it ends.
 */
public interface TaskQuotas {
  /** What a bound task is about to do. */
  enum Step {
    /** Nothing more than it has told. */
    GO_ON,
    /** To be given to a worker. */
    BEGIN,
    /** An action that is allowed now. */
    TOOL_CALL
  }

  /**
   * Binds a task that is submitted, and counts it. Throws {@code rate_limited} where a hard quota
   * has no room for it now, and {@code policy_violation} where waiting will not help.
   */
  void admit(TaskChange change);

  /** Binds a task that was accepted elsewhere, and counts it, whether there is room or not. */
  void adopt(TaskChange change);

  /** Counts a message to a task; throws as {@link #admit} does. */
  void message(TaskChange change);

  /** Returns why a task may not do that, where a hard quota is used up. */
  Optional<Failure> breach(TaskChange change, Step step);

  /** Counts what a task has used, and that it ended, as it is stored. */
  void settle(Write write, TaskRecord before, TaskRecord after);
}
