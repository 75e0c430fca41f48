package dev.bridle.worker;

import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RecordedStep.ResultCase;
import dev.bridle.worker.v1.ReportStepRequest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The steps that this and earlier runs of a handler have recorded in the core. Records new steps.
 */
final class StepLog {
  private final LeaseHold hold;
  private final CoreCalls calls;
  private final Map<String, RecordedStep> steps = new ConcurrentHashMap<>();

  StepLog(LeaseHold hold, CoreCalls calls) {
    this.hold = hold;
    this.calls = calls;
  }

  /** Reads what earlier runs have recorded. */
  void load() {
    ListStepsResponse page = ListStepsResponse.getDefaultInstance();
    String after = "";
    do {
      String from = after;
      page =
          calls.call(
              hold,
              core ->
                  core.listSteps(
                      ListStepsRequest.newBuilder()
                          .setTaskId(hold.taskId())
                          .setFence(hold.fence())
                          .setAfterStepKey(from)
                          .build()));
      for (RecordedStep step : page.getStepsList()) {
        steps.put(step.getStepKey(), step);
        after = step.getStepKey();
      }
    } while (page.getHasMore() && page.getStepsCount() > 0);
  }

  boolean has(String stepKey) {
    return steps.containsKey(stepKey);
  }

  Optional<RecordedStep> recorded(String stepKey, ResultCase expected) {
    return Optional.ofNullable(steps.get(stepKey)).map(step -> checked(step, expected));
  }

  /** Returns the answer to a question, if it is available. */
  Optional<RecordedStep> answer(String stepKey) {
    return Optional.ofNullable(steps.get(stepKey))
        .filter(step -> step.getResultCase() != ResultCase.PENDING)
        .map(step -> checked(step, ResultCase.ANSWER));
  }

  /** Returns the result of a client's tool run, if it is available. */
  Optional<RecordedStep> hostTool(String stepKey) {
    return Optional.ofNullable(steps.get(stepKey))
        .filter(step -> step.getResultCase() != ResultCase.PENDING)
        .filter(step -> step.getResultCase() != ResultCase.PERMISSION)
        .map(step -> step.hasTimedOut() ? step : checked(step, ResultCase.ANSWER));
  }

  /** Caches a step that the core has recorded in this run. */
  void keep(RecordedStep step) {
    steps.put(step.getStepKey(), step);
  }

  /** Records a step unless it is already recorded, and returns its record. */
  RecordedStep record(
      String stepKey, ResultCase expected, Consumer<ReportStepRequest.Builder> report) {
    hold.throwIfStopped();
    Optional<RecordedStep> recorded = recorded(stepKey, expected);
    if (recorded.isPresent()) {
      return recorded.get();
    }
    ReportStepRequest.Builder request =
        ReportStepRequest.newBuilder().setTaskId(hold.taskId()).setStepKey(stepKey);
    report.accept(request);
    RecordedStep step =
        calls.call(hold, core -> core.reportStep(request.setFence(hold.fence()).build())).getStep();
    // Records of plain reports may be large and are not read again in the same run.
    if (step.getResultCase() != ResultCase.TOLD) {
      keep(step);
    }
    return checked(step, expected);
  }

  private static RecordedStep checked(RecordedStep step, ResultCase expected) {
    if (step.getResultCase() != expected) {
      throw new IllegalStateException(
          "step key `"
              + step.getStepKey()
              + "` is recorded as "
              + step.getResultCase()
              + ", expected "
              + expected
              + ": a step key must be used for the same step in every run");
    }
    return step;
  }
}
