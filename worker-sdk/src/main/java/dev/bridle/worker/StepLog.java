package dev.bridle.worker;

import com.google.protobuf.ByteString;
import dev.bridle.worker.ReportBuffer.OnRefusal;
import dev.bridle.worker.v1.DependencyKind;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RecordedStep.ResultCase;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.StepReport;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The steps that this and earlier runs of a handler have recorded in the core. Records new steps.
 */
final class StepLog {
  private static final Map<String, DependencyKind> KINDS =
      Map.of(
          "llm", DependencyKind.DEPENDENCY_KIND_LLM,
          "mcp", DependencyKind.DEPENDENCY_KIND_MCP,
          "time", DependencyKind.DEPENDENCY_KIND_TIME,
          "host", DependencyKind.DEPENDENCY_KIND_HOST);

  private final LeaseHold hold;
  private final TaskCalls calls;
  private final Map<String, RecordedStep> steps = new ConcurrentHashMap<>();

  StepLog(TaskCalls calls) {
    this.hold = calls.hold();
    this.calls = calls;
  }

  /** Reads what earlier runs have recorded. */
  void load() {
    ListStepsResponse page = ListStepsResponse.getDefaultInstance();
    String after = "";
    do {
      String from = after;
      page =
          calls
              .core()
              .call(
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

  /** Accepts a report without a result, unless it is already recorded. */
  void report(String stepKey, Consumer<StepReport.Builder> content) {
    hold.throwIfStopped();
    calls.reports().throwIfRefused();
    if (recorded(stepKey, ResultCase.TOLD).isEmpty()) {
      StepReport.Builder report = StepReport.newBuilder().setStepKey(stepKey);
      content.accept(report);
      calls.reports().add(report.build());
    }
  }

  /** Records a step unless it is already recorded, and returns its record once it is durable. */
  RecordedStep record(
      String stepKey, ResultCase expected, Consumer<ReportStepRequest.Builder> report) {
    hold.throwIfStopped();
    calls.reports().throwIfRefused();
    Optional<RecordedStep> recorded = recorded(stepKey, expected);
    return recorded.isPresent() ? recorded.get() : send(stepKey, expected, OnRefusal.THROW, report);
  }

  /**
   * Records a value that was computed, and returns its record once it is durable. Does so even if
   * an earlier report is rejected, which a later call throws: the next run must not compute it
   * again.
   */
  RecordedStep recordValue(String stepKey, String inputHash, ByteString value) {
    hold.throwIfStopped();
    return send(
        stepKey,
        ResultCase.VALUE,
        OnRefusal.KEEP,
        request ->
            request.setDependency(
                DependencyReport.newBuilder()
                    .setValue(value)
                    .setKind(kindOf(stepKey))
                    .setInputHash(inputHash)));
  }

  /** Returns the kind that a conventional key names. */
  private static DependencyKind kindOf(String stepKey) {
    return KINDS.getOrDefault(
        stepKey.substring(0, Math.max(0, stepKey.indexOf(':'))),
        DependencyKind.DEPENDENCY_KIND_UNSPECIFIED);
  }

  private RecordedStep send(
      String stepKey,
      ResultCase expected,
      OnRefusal onRefusal,
      Consumer<ReportStepRequest.Builder> report) {
    ReportStepRequest.Builder request =
        ReportStepRequest.newBuilder().setTaskId(hold.taskId()).setStepKey(stepKey);
    report.accept(request);
    RecordedStep step =
        calls
            .carry(
                onRefusal,
                (core, earlier) ->
                    core.reportStep(
                        request
                            .setFence(hold.fence())
                            .clearEarlierReports()
                            .addAllEarlierReports(earlier)
                            .build()))
            .getStep();
    keep(step);
    return checked(step, expected);
  }

  private static RecordedStep checked(RecordedStep step, ResultCase expected) {
    if (step.getResultCase() != expected) {
      throw new IllegalStateException(otherKind(step, expected));
    }
    return step;
  }

  /** Describes a step key that is used for two kinds of steps. */
  static String otherKind(RecordedStep step, ResultCase expected) {
    return "step key `"
        + step.getStepKey()
        + "` is recorded as "
        + step.getResultCase()
        + ", expected "
        + expected
        + ": a step key must be used for the same step in every run";
  }
}
