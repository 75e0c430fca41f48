package dev.bridle.core.integrations.prompt;

import dev.bridle.core.work.task.UnstartedTasks;
import dev.bridle.record.v1.PromptRecord;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import dev.bridle.task.v1.TaskStatus;
import java.util.Locale;
import java.util.Set;

/** The status of a prompt in its acknowledgment (HARP 0.2, "Prompt layer"). */
enum PromptStatus {
  /** Accepted; no worker has it yet. */
  QUEUED,
  /** A worker has it, or had it. */
  DELIVERED,
  /** No mapping, no open session or no policy allows it. */
  REJECTED,
  /** Its time was over before a worker had it. */
  EXPIRED,
  /** It ended before a worker had it. */
  ERROR;

  /** The codes with which a task fails that its quotas no longer allow. */
  private static final Set<String> POLICIES = Set.of("policy_violation", "rate_limited");

  /** Returns the status of an accepted prompt, which follows from its task. */
  static PromptStatus of(PromptRecord prompt, TaskRecordOrBuilder task) {
    if (UnstartedTasks.isStarted(task)) {
      return DELIVERED;
    }
    if (prompt.getExpired()) {
      return EXPIRED;
    }
    if (!UnstartedTasks.isOver(task)) {
      return QUEUED;
    }
    boolean refused =
        task.getTask().getStatus() == TaskStatus.TASK_STATUS_FAILED
            && POLICIES.contains(task.getTask().getFailure().getCode());
    return refused ? REJECTED : ERROR;
  }

  /** Returns the status as it is on the wire. */
  String spelled() {
    return name().toLowerCase(Locale.ROOT);
  }
}
