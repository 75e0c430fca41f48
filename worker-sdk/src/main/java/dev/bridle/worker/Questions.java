package dev.bridle.worker;

import dev.bridle.message.v1.Message;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import java.util.Optional;

/**
 * Sends questions to a task's user, and suspends or parks the handler until the answer is
 * available.
 */
final class Questions {
  private final LeaseHold hold;
  private final TaskCalls calls;
  private final StepLog steps;
  private final AnswerWait pause;

  Questions(TaskCalls calls, StepLog steps, AnswerWait pause) {
    this.hold = calls.hold();
    this.calls = calls;
    this.steps = steps;
    this.pause = pause;
  }

  Message ask(String stepKey, Question question) {
    Message answer = pause.until(question.hold(), () -> request(stepKey, question));
    steps.keep(RecordedStep.newBuilder().setStepKey(stepKey).setAnswer(answer).build());
    return answer;
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
          calls.carry(
              (core, earlier) ->
                  core.requestInput(
                      request
                          .setFence(hold.fence())
                          .clearEarlierReports()
                          .addAllEarlierReports(earlier)
                          .build()));
    } catch (CallRefused e) {
      hold.ask(false);
      throw e;
    }
    if (response.hasAnswer()) {
      hold.ask(false);
      return Optional.of(response.getAnswer());
    }
    if (response.getTimedOut()) {
      hold.ask(false);
      throw new QuestionWithdrawn(stepKey);
    }
    return Optional.empty();
  }
}
