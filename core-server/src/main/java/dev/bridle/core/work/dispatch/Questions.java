package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.WaitingLease;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.HostToolTimedOut;
import dev.bridle.worker.v1.PendingQuestion;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import java.util.Optional;

/**
 * Handles questions to users: the task waits as INPUT_REQUIRED, and its lease is freed, or parked
 * while the worker keeps the handler's process.
 */
final class Questions {
  private final Steps steps;
  private final TaskEndings endings;
  private final WaitingLease waiting;

  Questions(Steps steps, TaskEndings endings, WaitingLease waiting) {
    this.steps = steps;
    this.endings = endings;
    this.waiting = waiting;
  }

  /**
   * Returns the recorded answer or timeout of the step, or a pending response if the task already
   * waits for this question; empty if the question is new.
   */
  Optional<RequestInputResponse> known(TaskChange change, RequestInputRequest request) {
    TaskRecordOrBuilder record = change.record();
    Optional<RecordedStep> step =
        steps.find(change.write().tr(), change.write().tenant(), change.id(), request.getStepKey());
    if (step.isPresent() && step.get().hasAnswer()) {
      return Optional.of(
          RequestInputResponse.newBuilder().setAnswer(step.get().getAnswer()).build());
    }
    if (step.isPresent() && step.get().hasTimedOut()) {
      return Optional.of(RequestInputResponse.newBuilder().setTimedOut(true).build());
    }
    boolean waiting =
        change.status() == TaskStatus.TASK_STATUS_INPUT_REQUIRED
            && record.getQuestionStepKey().equals(request.getStepKey())
            && record.getLease().getFence() == request.getFence();
    return waiting ? Optional.of(RequestInputResponse.getDefaultInstance()) : Optional.empty();
  }

  /** Opens a question for the first time. */
  RequestInputResponse open(TaskChange change, RequestInputRequest request) {
    if (change.record().getCancelRequestedAt() != 0) {
      change.markEndedBy();
      endings.cancel(change); // The handler has stopped to ask, so no worker runs the task.
      return RequestInputResponse.getDefaultInstance();
    }
    begin(change, request, Payload.of().json("schema", request.getSchema()));
    return RequestInputResponse.getDefaultInstance();
  }

  /** Closes the question that the task waits for if it has this key; returns whether it has. */
  boolean withdraw(TaskChange change, String stepKey) {
    TaskRecordOrBuilder record = change.record();
    if (!record.getQuestionStepKey().equals(stepKey) || record.hasHostCall()) {
      return false;
    }
    steps.record(
        change,
        RecordedStep.newBuilder()
            .setStepKey(stepKey)
            .setTimedOut(HostToolTimedOut.getDefaultInstance())
            .build());
    change.waits().closeQuestion();
    change.move(
        TaskStatus.TASK_STATUS_WORKING,
        Payload.of().text("step_key", stepKey).text("reason", "withdrawn"));
    waiting.end(change);
    return true;
  }

  /** Makes the task wait for an answer, and emits the event with the given facts. */
  void begin(TaskChange change, RequestInputRequest request, Payload facts) {
    steps.record(
        change,
        RecordedStep.newBuilder()
            .setStepKey(request.getStepKey())
            .setPending(PendingQuestion.getDefaultInstance())
            .build());
    change.waits().askQuestion(request.getStepKey());
    change.move(
        TaskStatus.TASK_STATUS_INPUT_REQUIRED,
        facts.text("step_key", request.getStepKey()).text("prompt", request.getPrompt()));
    waiting.begin(change, request.getHold());
  }
}
