package dev.bridle.worker;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.message.v1.Message;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.StepTold;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The reports that a {@link FakeCore} has applied, in their order. */
final class FakeReports {
  private final List<StepReport> applied = new ArrayList<>();
  private final Map<String, ErrorCode> rejected = new HashMap<>();
  private int maxEarlier = 100;

  /** Rejects every call that has a report with this key. */
  void reject(String stepKey, ErrorCode code) {
    rejected.put(stepKey, code);
  }

  /** Ignores earlier reports from now on, as a core does that does not know this field. */
  void takeNoEarlier() {
    maxEarlier = 0;
  }

  int maxEarlier() {
    return maxEarlier;
  }

  List<StepReport> applied() {
    return List.copyOf(applied);
  }

  /** Applies a report and those before it, or none of them if one is rejected. */
  void apply(Map<String, RecordedStep> steps, ReportStepRequest request) {
    List<StepReport> reports = new ArrayList<>();
    if (maxEarlier > 0) {
      reports.addAll(request.getEarlierReportsList());
    }
    reports.add(own(request));
    applyAll(steps, reports);
  }

  /** Applies the earlier reports of a call, or none of them if one is rejected. */
  void applyEarlier(Map<String, RecordedStep> steps, List<StepReport> reports) {
    if (maxEarlier > 0) {
      applyAll(steps, reports);
    }
  }

  private void applyAll(Map<String, RecordedStep> steps, List<StepReport> reports) {
    for (StepReport report : reports) {
      if (report.getEvent().getEvent().startsWith("vendor.bridle.")) {
        throw FakeCore.refusal(ErrorCode.ERROR_CODE_INVALID_REQUEST, Status.INVALID_ARGUMENT);
      }
      if (rejected.containsKey(report.getStepKey())) {
        throw FakeCore.refusal(rejected.get(report.getStepKey()), Status.INVALID_ARGUMENT);
      }
    }
    for (StepReport report : reports) {
      if (steps.putIfAbsent(report.getStepKey(), recorded(report)) == null) {
        applied.add(report);
      }
    }
  }

  private static StepReport own(ReportStepRequest request) {
    StepReport.Builder own =
        StepReport.newBuilder()
            .setStepKey(request.getStepKey())
            .setParentStepKey(request.getParentStepKey());
    switch (request.getReportCase()) {
      case MESSAGE -> own.setMessage(request.getMessage());
      case ARTIFACT -> own.setArtifact(request.getArtifact());
      case DEPENDENCY -> own.setDependency(request.getDependency());
      case EVENT -> own.setEvent(request.getEvent());
      case USAGE -> own.setUsage(request.getUsage());
      case MODEL_CALL -> own.setModelCall(request.getModelCall());
      case SIDE_EFFECT -> own.setSideEffect(request.getSideEffect());
      default -> own.setProgress(request.getProgress());
    }
    return own.build();
  }

  private static RecordedStep recorded(StepReport report) {
    RecordedStep.Builder step = RecordedStep.newBuilder().setStepKey(report.getStepKey());
    switch (report.getReportCase()) {
      case MESSAGE ->
          step.setMessage(
              Message.newBuilder()
                  .setId("message_" + report.getStepKey())
                  .addAllParts(report.getMessage().getMessage().getPartsList()));
      case ARTIFACT ->
          step.setArtifact(
              Artifact.newBuilder()
                  .setId("artifact_" + report.getStepKey())
                  .setMetadata(report.getArtifact().getContent()));
      case DEPENDENCY -> step.setValue(report.getDependency().getValue());
      default -> step.setTold(StepTold.getDefaultInstance());
    }
    return step.build();
  }
}
