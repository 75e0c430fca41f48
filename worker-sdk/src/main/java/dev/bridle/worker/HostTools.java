package dev.bridle.worker;

import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.ToolResultPart;
import dev.bridle.message.v1.ToolResultStatus;
import dev.bridle.worker.v1.HostToolCall;
import dev.bridle.worker.v1.HostToolTimedOut;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import java.util.Optional;

/**
 * Requests tool runs from clients, and suspends or parks the handler until the result or the
 * permission decision is available.
 */
final class HostTools {
  private static final HostResult TIMED_OUT = not(HostResult.Outcome.TIMED_OUT, Optional.empty());

  private final LeaseHold hold;
  private final TaskCalls calls;
  private final StepLog steps;
  private final AnswerWait pause;

  HostTools(TaskCalls calls, StepLog steps, AnswerWait pause) {
    this.hold = calls.hold();
    this.calls = calls;
    this.steps = steps;
    this.pause = pause;
  }

  HostResult run(String stepKey, HostTool tool) {
    return steps
        .hostTool(stepKey)
        .map(HostTools::recorded)
        .orElseGet(() -> pause.until(tool.hold(), () -> request(stepKey, tool)));
  }

  private static HostResult recorded(RecordedStep step) {
    return step.hasTimedOut() ? TIMED_OUT : answered(step.getAnswer());
  }

  private Optional<HostResult> request(String stepKey, HostTool tool) {
    HostToolCall.Builder call =
        HostToolCall.newBuilder().setName(tool.name()).setInput(Json.bytes(tool.input()));
    tool.sideEffect().ifPresent(call::setSideEffect);
    tool.timeout().ifPresent(time -> call.setTimeout(LeaseTimes.span(time.toNanos())));
    RequestInputRequest.Builder request =
        RequestInputRequest.newBuilder()
            .setTaskId(hold.taskId())
            .setStepKey(stepKey)
            .setPrompt(tool.prompt())
            .setToolCall(call)
            .setHold(LeaseTimes.span(tool.hold().toNanos()));
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
    Optional<HostResult> result = result(stepKey, response);
    if (result.isPresent()) {
      hold.ask(false);
    }
    return result;
  }

  private Optional<HostResult> result(String stepKey, RequestInputResponse response) {
    RecordedStep.Builder step = RecordedStep.newBuilder().setStepKey(stepKey);
    if (response.hasAnswer()) {
      steps.keep(step.setAnswer(response.getAnswer()).build());
      return Optional.of(answered(response.getAnswer()));
    }
    if (response.getTimedOut()) {
      steps.keep(step.setTimedOut(HostToolTimedOut.getDefaultInstance()).build());
      return Optional.of(TIMED_OUT);
    }
    return outcome(response.getVerdict())
        .map(outcome -> not(outcome, Optional.of(response.getReason())));
  }

  private static Optional<HostResult.Outcome> outcome(PermissionVerdict verdict) {
    return switch (verdict) {
      case PERMISSION_VERDICT_DENIED -> Optional.of(HostResult.Outcome.DENIED);
      case PERMISSION_VERDICT_EXPIRED -> Optional.of(HostResult.Outcome.EXPIRED);
      case PERMISSION_VERDICT_SHADOWED -> Optional.of(HostResult.Outcome.SHADOWED);
      case PERMISSION_VERDICT_PROPOSED -> Optional.of(HostResult.Outcome.PROPOSED);
      default -> Optional.empty(); // The task waits.
    };
  }

  private static HostResult answered(Message answer) {
    ToolResultPart result = answer.getParts(0).getToolResult();
    boolean done = result.getStatus() == ToolResultStatus.TOOL_RESULT_STATUS_OK;
    return new HostResult(
        done ? HostResult.Outcome.DONE : HostResult.Outcome.FAILED,
        Optional.of(Json.read(result.getOutput())),
        Optional.empty());
  }

  private static HostResult not(HostResult.Outcome outcome, Optional<String> reason) {
    return new HostResult(outcome, Optional.empty(), reason.filter(why -> !why.isEmpty()));
  }
}
