package dev.bridle.core.work.hosttool;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.task.WaitingLease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.HostToolTimedOut;
import dev.bridle.worker.v1.RecordedStep;
import java.util.Optional;

/** Times out tool calls that no client has answered. Any process's sweeper may call it. */
public final class HostTimeouts {
  private static final String ACTOR = "bridle";

  private final Commands commands;
  private final TaskStores stores;
  private final HostCalls calls;
  private final Steps steps;
  private final WaitingLease waiting;

  public HostTimeouts(
      Commands commands, TaskStores stores, HostCalls calls, Steps steps, WaitingLease waiting) {
    this.commands = commands;
    this.stores = stores;
    this.calls = calls;
    this.steps = steps;
    this.waiting = waiting;
  }

  /** Times out the call of a due entry; removes a stale entry. */
  public void expire(DueEntry entry) {
    commands.fenced(
        FencedWrite.SWEEP,
        entry.tenant(),
        ACTOR,
        write -> {
          Optional<TaskRecord> before =
              stores
                  .tasks()
                  .find(write.tr(), entry.tenant(), entry.id())
                  .filter(record -> owns(record, entry));
          if (before.isEmpty()) {
            stores.due().cancel(write.tr(), entry);
            return false;
          }
          TaskChange change = stores.change(write, before.get());
          timeOut(change);
          change.save();
          return true;
        });
  }

  private void timeOut(TaskChange change) {
    String stepKey = change.record().getQuestionStepKey();
    calls.emitUnanswered(change, "timed_out");
    calls.close(change);
    steps.record(
        change,
        RecordedStep.newBuilder()
            .setStepKey(stepKey)
            .setTimedOut(HostToolTimedOut.getDefaultInstance())
            .build());
    change.closeQuestion();
    change.move(TaskStatus.TASK_STATUS_WORKING, Payload.of().text("step_key", stepKey));
    waiting.end(change);
  }

  private static boolean owns(TaskRecord record, DueEntry entry) {
    return record.hasHostCall()
        && !record.hasParked()
        && record.getHostCall().getExpiresAt() == entry.dueMillis();
  }
}
