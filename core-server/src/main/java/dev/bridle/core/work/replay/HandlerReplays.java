package dev.bridle.core.work.replay;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskRecordOrBuilder;

/**
 * Tells replays whose handler runs. A worker of the replayed task's agent holds them, which may do
 * nothing: it is answered from the record. Once the handler has ended as it did before, the
 * server's own agent replays the log.
 */
public final class HandlerReplays {
  private HandlerReplays() {}

  /** Returns whether a task is a replay whose handler runs, or is about to. */
  public static boolean is(TaskRecordOrBuilder record) {
    return record.getTask().hasReplay()
        && OwnAgents.isReplaysOf(record.getTask().getAssignedAgentId());
  }

  /** Rejects what a handler does in a replay and the record does not answer. */
  public static void refuse(TaskRecord record, String what) {
    if (is(record)) {
      throw ProtocolException.unsupported("task_id", "a replay " + what);
    }
  }

  /** Rejects a task that is no replay whose handler runs. */
  public static void need(TaskRecord record) {
    if (!is(record)) {
      throw ProtocolException.invalid("task_id", "is not a replay whose handler runs");
    }
  }
}
