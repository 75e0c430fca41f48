package dev.bridle.core.work.task;

import dev.bridle.event.v1.ReplayEventMetadata;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import dev.bridle.task.v1.Task;

/** Completes events with what they have of their task. */
final class TaskEvents {
  private TaskEvents() {}

  /** Returns a task's next event. Only the terminal one names the task's receipt. */
  static EventRecord of(TaskRecordOrBuilder record, EventRecord.Builder event) {
    Task task = record.getTask();
    boolean terminal = TaskLifecycle.terminal(task.getStatus());
    if (task.hasReplay()) {
      event.setReplay(replayed(task, event.getReplay()));
    }
    return event
        .setResourceObject("task")
        .setResourceId(task.getId())
        .setSequence(record.getNextSequence())
        .setTaskId(task.getId())
        .setTraceId(record.getTraceId())
        .setSessionId(task.getSessionId())
        .setWorkspaceId(task.getWorkspaceId())
        .setTerminal(terminal)
        .setReceiptId(terminal ? task.getReceiptId() : "")
        .build();
  }

  /** An event that is about one of the origin names the origin as its source. */
  private static ReplayEventMetadata replayed(Task task, ReplayEventMetadata given) {
    return given.toBuilder()
        .setSourceTaskId(
            given.getSourceTaskId().isEmpty()
                ? task.getReplay().getSourceTaskId()
                : given.getSourceTaskId())
        .setReplayTaskId(task.getId())
        .setMode(task.getReplay().getMode())
        .build();
  }
}
