package dev.bridle.core.task;

import dev.bridle.core.dispatch.Steps;
import dev.bridle.core.event.EventDraft;
import dev.bridle.core.event.EventKinds;
import dev.bridle.core.event.Payload;
import dev.bridle.core.message.MessageStore;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.Lease;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.RecordedStep;

/** What clients tell tasks: answers and interrupts (protocol section "Task lifecycle"). */
final class TaskMessages {
  private final MessageStore messages;
  private final Steps steps;
  private final TaskOptions options;

  TaskMessages(MessageStore messages, Steps steps, TaskOptions options) {
    this.messages = messages;
    this.steps = steps;
    this.options = options;
  }

  Message append(TaskChange change, AppendTaskMessageRequest request) {
    return switch (request.getKind()) {
      case TASK_MESSAGE_KIND_INPUT -> answer(change, request);
      case TASK_MESSAGE_KIND_INTERRUPT -> interrupt(change, request);
      // Approvals come with the next level; until then no task waits for one.
      default -> throw TaskLifecycle.refused(change.status());
    };
  }

  private Message answer(TaskChange change, AppendTaskMessageRequest request) {
    if (change.status() != TaskStatus.TASK_STATUS_INPUT_REQUIRED) {
      throw TaskLifecycle.refused(change.status());
    }
    Message message = make(change, request);
    String stepKey = change.record().getQuestionStepKey();
    messages.insert(
        change.write(),
        message,
        change.emit(
            EventDraft.of(
                EventKinds.USER_INPUT_SUBMITTED,
                MessageStore.facts(message).text("step_key", stepKey))));
    steps.record(change, RecordedStep.newBuilder().setStepKey(stepKey).setAnswer(message).build());
    change.record().setQuestionStepKey("");
    change.move(TaskStatus.TASK_STATUS_WORKING, Payload.of().text("step_key", stepKey));
    requeue(change);
    return message;
  }

  /** Queues the task again: first for the worker that kept its process, for a while. */
  private void requeue(TaskChange change) {
    Lease lease = change.record().getLease();
    boolean parked = lease.getState() == LeaseState.LEASE_STATE_PARKED;
    String worker = parked ? lease.getWorkerId() : "";
    change.freeLease();
    change.enqueue(
        worker, parked ? change.write().nowMillis() + options.affinityTime().toMillis() : 0);
  }

  private Message interrupt(TaskChange change, AppendTaskMessageRequest request) {
    if (TaskLifecycle.terminal(change.status())) {
      throw TaskLifecycle.refused(change.status());
    }
    Message message = make(change, request);
    messages.insert(change.write(), message, change.emit(MessageStore.told(message)));
    return message;
  }

  private Message make(TaskChange change, AppendTaskMessageRequest request) {
    change.record().getTotalsBuilder().setMessages(change.record().getTotals().getMessages() + 1);
    return messages.make(
        change.write(), change.task().getSessionId(), change.id(), request.getMessage());
  }
}
