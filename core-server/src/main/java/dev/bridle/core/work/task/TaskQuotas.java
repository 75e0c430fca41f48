package dev.bridle.core.work.task;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configuration;
import dev.bridle.record.v1.TaskRecord;
import java.util.Optional;

/**
 * Checks and counts tasks against quotas (protocol section "Quota"). A task is bound to quotas when
 * it is submitted, until it ends.
 */
public interface TaskQuotas {
  /** The next step of a bound task. */
  enum Step {
    /** Continue running, without further usage. */
    GO_ON,
    /** Start on a worker. */
    BEGIN,
    /** A tool call. */
    TOOL_CALL
  }

  /**
   * Binds a submitted task to its quotas, and counts it. Throws {@code rate_limited} if a hard
   * quota is used up for now, and {@code policy_violation} if waiting will not help.
   *
   * @param configuration the tenant's quotas and what names them
   */
  void admit(TaskChange change, Configuration configuration);

  /** Binds a task that another server accepted, and counts it, even beyond the limits. */
  void adopt(TaskChange change, Configuration configuration);

  /** Counts a message to a task; throws as {@link #admit} does. */
  void message(TaskChange change);

  /** Returns a failure if a hard quota does not allow the step. */
  Optional<Failure> breach(TaskChange change, Step step);

  /** Counts the usage and the end of a task when it is stored. */
  void settle(Write write, TaskRecord before, TaskRecord after);
}
