package dev.bridle.core.work.task;

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
      event.setReplay(
          event
              .getReplayBuilder()
              .setSourceTaskId(task.getReplay().getSourceTaskId())
              .setReplayTaskId(task.getId())
              .setMode(task.getReplay().getMode()));
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
}
