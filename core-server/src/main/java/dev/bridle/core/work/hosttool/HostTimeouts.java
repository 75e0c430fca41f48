package dev.bridle.core.work.hosttool;

import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.DueTasks;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.WaitingLease;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.HostToolTimedOut;
import dev.bridle.worker.v1.RecordedStep;

/** Times out tool calls that no client has answered. Any process's sweeper may call it. */
public final class HostTimeouts {
  private final DueTasks tasks;
  private final HostCalls calls;
  private final Steps steps;
  private final WaitingLease waiting;

  public HostTimeouts(DueTasks tasks, HostCalls calls, Steps steps, WaitingLease waiting) {
    this.tasks = tasks;
    this.calls = calls;
    this.steps = steps;
    this.waiting = waiting;
  }

  /** Times out the call of a due entry; removes a stale entry. */
  public void expire(DueEntry entry) {
    tasks.change(entry, this::timeOut);
  }

  private void timeOut(TaskChange change) {
    String stepKey = change.record().getQuestionStepKey();
    calls.emitUnanswered(change, "timed_out");
    calls.close(change, HostCalls.FAILED);
    steps.record(
        change,
        RecordedStep.newBuilder()
            .setStepKey(stepKey)
            .setTimedOut(HostToolTimedOut.getDefaultInstance())
            .build());
    change.waits().closeQuestion();
    change.move(TaskStatus.TASK_STATUS_WORKING, Payload.of().text("step_key", stepKey));
    waiting.end(change);
  }
}
