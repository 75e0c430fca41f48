package dev.bridle.core.work.task;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.message.v1.Message;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.RecordedStep;
import java.util.ArrayList;
import java.util.List;

/**
 * Appends clients' messages to tasks: answers, tool results, confirmations and what users say to
 * tasks that work (protocol section "Task lifecycle").
 */
final class TaskMessages {
  private final MessageStore messages;
  private final Steps steps;
  private final ConfirmationIntake confirmations;
  private final ToolResultIntake toolResults;
  private final WaitingLease waiting;
  private final TaskQuotas quotas;
  private final FollowUps followUps;

  TaskMessages(
      MessageStore messages,
      Steps steps,
      ConfirmationIntake confirmations,
      ToolResultIntake toolResults,
      WaitingLease waiting,
      TaskQuotas quotas,
      FollowUps followUps) {
    this.followUps = followUps;
    this.quotas = quotas;
    this.messages = messages;
    this.steps = steps;
    this.confirmations = confirmations;
    this.toolResults = toolResults;
    this.waiting = waiting;
  }

  Message append(TaskChange change, AppendTaskMessageRequest request) {
    MessageIntake intake = MessageIntake.of(request, change.record());
    if (intake == MessageIntake.FOLLOW_UP) {
      return followUps.submit(change.write(), change.task(), request);
    }
    if (change.task().hasReplay()) {
      throw TaskLifecycle.refused(
          change.status(), "The task is a replay, which takes no messages.");
    }
    quotas.message(change);
    return switch (intake) {
      case ANSWER -> answer(change, request);
      case CONFIRM -> confirm(change, request);
      case RECORD -> tell(change, request);
      case DELIVER -> deliver(change, request);
      case FOLLOW_UP -> throw new IllegalStateException("a task of its own");
    };
  }

  private Message answer(TaskChange change, AppendTaskMessageRequest request) {
    String stepKey = change.record().getQuestionStepKey();
    if (request.hasStepKey() && !request.getStepKey().equals(stepKey)) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT, "The task waits for the answer to another question.")
          .with("step_key", stepKey)
          .blaming("step_key");
    }
    toolResults.validate(change, request.getMessage());
    Message message = make(change, request);
    messages.insert(
        change.write(),
        message,
        change.emit(
            EventDraft.of(
                EventKinds.USER_INPUT_SUBMITTED,
                MessageStore.facts(message).text("step_key", stepKey))));
    toolResults.accept(change, message);
    steps.record(change, RecordedStep.newBuilder().setStepKey(stepKey).setAnswer(message).build());
    change.waits().closeQuestion();
    change.move(TaskStatus.TASK_STATUS_WORKING, Payload.of().text("step_key", stepKey));
    waiting.end(change);
    return message;
  }

  private Message confirm(TaskChange change, AppendTaskMessageRequest request) {
    List<Message> appended = new ArrayList<>();
    confirmations.accept(
        change,
        request.getMessage(),
        () -> {
          Message message = make(change, request);
          messages.insert(
              change.write(), message, change.emit(MessageStore.appendedEvent(message)));
          appended.add(message);
          return message.getId();
        });
    return appended.get(0);
  }

  private Message tell(TaskChange change, AppendTaskMessageRequest request) {
    Message message = make(change, request);
    messages.insert(change.write(), message, change.emit(MessageStore.appendedEvent(message)));
    return message;
  }

  /** Leaves a message to the task's worker: durable with its event, until a worker has taken it. */
  private Message deliver(TaskChange change, AppendTaskMessageRequest request) {
    int bytes = request.getMessage().getSerializedSize();
    change.inbox().needRoom(bytes);
    long sequence = change.record().getNextSequence();
    Message message = tell(change, request);
    change.inbox().add(message.getId(), sequence, MessageIntake.mode(request), bytes);
    return message;
  }

  private Message make(TaskChange change, AppendTaskMessageRequest request) {
    change.counts().addMessage();
    return messages.make(
        change.write(),
        change.task().getWorkspaceId(),
        change.task().getSessionId(),
        change.id(),
        request.getMessage());
  }
}
