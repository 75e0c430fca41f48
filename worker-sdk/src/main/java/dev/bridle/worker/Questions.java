package dev.bridle.worker;

import dev.bridle.message.v1.Message;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import java.time.Duration;
import java.util.Optional;

/** Asks a task's user, and suspends or parks the handler until there is an answer. */
final class Questions {
  // The core frees a parked lease itself; this only ends the thread if that never reaches us.
  private static final Duration SLACK = Duration.ofSeconds(2);

  private final LeaseHold hold;
  private final CoreCalls calls;
  private final StepLog steps;
  private final Runnable slotFreed;

  Questions(LeaseHold hold, CoreCalls calls, StepLog steps, Runnable slotFreed) {
    this.hold = hold;
    this.calls = calls;
    this.steps = steps;
    this.slotFreed = slotFreed;
  }

  Message ask(String stepKey, Question question) {
    Optional<Message> answer = request(stepKey, question);
    if (answer.isEmpty() && !question.hold().isZero()) {
      slotFreed.run();
      if (hold.park(question.hold().plus(SLACK))) {
        answer = request(stepKey, question);
      }
    }
    if (answer.isEmpty()) {
      hold.stop(LeaseHold.Stop.RELEASED);
      throw new TaskSuspended();
    }
    steps.keep(RecordedStep.newBuilder().setStepKey(stepKey).setAnswer(answer.get()).build());
    return answer.get();
  }

  private Optional<Message> request(String stepKey, Question question) {
    RequestInputRequest.Builder request =
        RequestInputRequest.newBuilder()
            .setTaskId(hold.taskId())
            .setStepKey(stepKey)
            .setPrompt(question.prompt())
            .setHold(LeaseTimes.span(question.hold().toNanos()));
    question.schema().ifPresent(schema -> request.setSchema(Json.bytes(schema)));
    hold.ask(true);
    RequestInputResponse response;
    try {
      response =
          calls.call(hold, core -> core.requestInput(request.setFence(hold.fence()).build()));
    } catch (CallRefused e) {
      hold.ask(false);
      throw e;
    }
    if (response.hasAnswer()) {
      hold.ask(false);
      return Optional.of(response.getAnswer());
    }
    return Optional.empty();
  }
}
