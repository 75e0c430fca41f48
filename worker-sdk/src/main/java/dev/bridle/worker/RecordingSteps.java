package dev.bridle.worker;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.worker.ReportBuffer.OnRefusal;
import dev.bridle.worker.v1.DependencyKind;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RecordedStep.ResultCase;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.StepReport;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The steps that this and earlier runs of a handler have recorded in the core. Records new steps.
 */
final class RecordingSteps implements StepLog {
  private static final Map<String, DependencyKind> KINDS =
      Map.of(
          "llm", DependencyKind.DEPENDENCY_KIND_LLM,
          "mcp", DependencyKind.DEPENDENCY_KIND_MCP,
          "time", DependencyKind.DEPENDENCY_KIND_TIME,
          "host", DependencyKind.DEPENDENCY_KIND_HOST);

  /** No key of a prefix comes after the prefix with this. */
  private static final String LAST_CHARACTER = Character.toString(Character.MAX_CODE_POINT);

  /** Longer messages of failures are cut, so that the core keeps them for replays. */
  private static final int MOST_MESSAGE = 1000;

  private static final String STEP_FAILED = "vendor.worker_sdk.step_failed";

  private final LeaseHold hold;
  private final TaskCalls calls;
  private final Map<String, RecordedStep> steps = new ConcurrentHashMap<>();
  private final Computing computing = new Computing();

  RecordingSteps(TaskCalls calls) {
    this.hold = calls.hold();
    this.calls = calls;
  }

  /**
   * Reads what earlier runs have recorded.
   *
   * @param skipped the prefix of keys that are skipped, at the cost of one page at most; empty:
   *     none
   */
  void load(String skipped) {
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
        after = step.getStepKey();
        if (skipped.isEmpty() || !after.startsWith(skipped)) {
          steps.put(after, step);
        }
      }
      if (!skipped.isEmpty() && after.startsWith(skipped)) {
        after = skipped + LAST_CHARACTER;
      }
    } while (page.getHasMore() && page.getStepsCount() > 0);
  }

  @Override
  public boolean has(String stepKey) {
    return steps.containsKey(stepKey);
  }

  @Override
  public Optional<RecordedStep> value(String stepKey, String inputHash) {
    return recorded(stepKey, ResultCase.VALUE);
  }

  private Optional<RecordedStep> recorded(String stepKey, ResultCase expected) {
    return Optional.ofNullable(steps.get(stepKey)).map(step -> checked(step, expected));
  }

  @Override
  public Optional<RecordedStep> answer(String stepKey) {
    return Optional.ofNullable(steps.get(stepKey))
        .filter(step -> step.getResultCase() != ResultCase.PENDING)
        .map(step -> step.hasTimedOut() ? step : checked(step, ResultCase.ANSWER));
  }

  @Override
  public Optional<RecordedStep> hostTool(String stepKey) {
    return Optional.ofNullable(steps.get(stepKey))
        .filter(step -> step.getResultCase() != ResultCase.PENDING)
        .filter(step -> step.getResultCase() != ResultCase.PERMISSION)
        .map(step -> step.hasTimedOut() ? step : checked(step, ResultCase.ANSWER));
  }

  @Override
  public void keep(RecordedStep step) {
    steps.put(step.getStepKey(), step);
  }

  @Override
  public void report(String stepKey, Consumer<StepReport.Builder> content) {
    hold.throwIfSilenced();
    calls.reports().throwIfRefused();
    if (recorded(stepKey, ResultCase.TOLD).isEmpty()) {
      StepReport.Builder report =
          StepReport.newBuilder().setStepKey(stepKey).setParentStepKey(parent());
      content.accept(report);
      calls.reports().add(report.build());
    }
  }

  @Override
  public RecordedStep record(
      String stepKey, ResultCase expected, Consumer<StepReport.Builder> report) {
    hold.throwIfSilenced();
    calls.reports().throwIfRefused();
    Optional<RecordedStep> recorded = recorded(stepKey, expected);
    return recorded.isPresent() ? recorded.get() : send(stepKey, expected, OnRefusal.THROW, report);
  }

  @Override
  public String parent() {
    return computing.key();
  }

  @Override
  public <T> T compute(String stepKey, Callable<T> compute) throws Exception {
    try {
      return computing.within(stepKey, compute);
    } catch (TaskSuspended | TaskCancelled | CallRefused e) {
      throw e;
    } catch (Exception e) {
      failed(stepKey, e);
      throw e;
    }
  }

  private static String cut(String message) {
    return message == null || message.length() <= MOST_MESSAGE
        ? message
        : message.substring(0, MOST_MESSAGE);
  }

  /**
   * Reports the failure's type: messages of exceptions contain what nobody has looked at, but those
   * of a {@link TaskFailure} are for the task's user.
   */
  private void failed(String stepKey, Exception failure) {
    ObjectNode payload =
        JsonNodeFactory.instance
            .objectNode()
            .put("step_key", stepKey)
            .put("error", failure.getClass().getName());
    if (failure instanceof TaskFailure meant) {
      payload.put("code", meant.code()).put("message", cut(meant.getMessage()));
    }
    String key = "failed:" + UUID.randomUUID();
    try {
      report(
          key,
          report ->
              report.setEvent(
                  EventReport.newBuilder().setEvent(STEP_FAILED).setPayload(Json.bytes(payload))));
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public RecordedStep recordValue(String stepKey, String inputHash, ByteString value) {
    hold.throwIfSilenced();
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
  static DependencyKind kindOf(String stepKey) {
    return KINDS.getOrDefault(
        stepKey.substring(0, Math.max(0, stepKey.indexOf(':'))),
        DependencyKind.DEPENDENCY_KIND_UNSPECIFIED);
  }

  private RecordedStep send(
      String stepKey,
      ResultCase expected,
      OnRefusal onRefusal,
      Consumer<StepReport.Builder> content) {
    StepReport.Builder report = StepReport.newBuilder();
    content.accept(report);
    ReportStepRequest.Builder request =
        ReportStepRequest.newBuilder()
            .setTaskId(hold.taskId())
            .setStepKey(stepKey)
            .setParentStepKey(parent());
    switch (report.getReportCase()) {
      case MESSAGE -> request.setMessage(report.getMessage());
      case ARTIFACT -> request.setArtifact(report.getArtifact());
      case DEPENDENCY -> request.setDependency(report.getDependency());
      default -> throw new IllegalArgumentException("a report without a result needs no answer");
    }
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
      throw new IllegalStateException(StepLog.otherKind(step, expected));
    }
    return step;
  }
}
