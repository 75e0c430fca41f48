package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.replay.HandlerReplays;
import dev.bridle.core.work.replay.OverriddenRun;
import dev.bridle.core.work.report.ReportBatch;
import dev.bridle.core.work.report.Reports;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.worker.v1.CompareStepsRequest;
import dev.bridle.worker.v1.CompareStepsResponse;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.StepReport;
import java.util.Locale;
import java.util.Optional;

/**
 * Records what the handler of a replay reports otherwise than its origin, since recorded values are
 * replaced: as steps of the replay, each after an event that names the step. What says that
 * something was used, called or changed is recorded as said only, since it was not.
 */
final class ChangedReports {
  private static final String REPLAY = "replay";

  private final ReplayedCalls replayed;

  ChangedReports(ReplayedCalls replayed) {
    this.replayed = replayed;
  }

  /** Compares reports, and records those that differ. */
  CompareStepsResponse record(ReportBatch batch, CompareStepsRequest request) {
    HandlerReplays.need(batch.before());
    CompareStepsResponse.Builder response = CompareStepsResponse.newBuilder();
    TaskChange change = batch.change();
    long events = change.record().getNextSequence();
    for (int i = 0; i < request.getReportsCount(); i++) {
      Optional<RecordedStep> different = different(batch, request.getReports(i));
      if (different.isPresent()) {
        response.addDifferent(i).addRecorded(different.get());
      }
    }
    if (request.hasPath()) {
      replayed.run().took(change, request.getPath());
    }
    if (change.record().getNextSequence() != events || request.hasPath()) {
      change.save();
    }
    return response.build();
  }

  private Optional<RecordedStep> different(ReportBatch batch, StepReport report) {
    TaskChange change = batch.change();
    Optional<StepRecord> own = replayed.run().own(change, report.getStepKey());
    if (own.isPresent()) {
      needSame(own.get(), report);
      return Optional.of(own.get().getStep());
    }
    if (report.hasDependency()) {
      return Optional.of(refreshed(change, report));
    }
    Optional<StepRecord> recorded =
        replayed
            .origin()
            .step(
                change.write().tr(), change.write().tenant(), change.before(), report.getStepKey());
    return recorded.filter(step -> step.getRequestHash().equals(Reports.hash(report))).isPresent()
        ? Optional.empty()
        : Optional.of(apply(batch, report, recorded.isPresent()));
  }

  private static void needSame(StepRecord own, StepReport report) {
    if (!own.getRequestHash().equals(Reports.hash(report))) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "An earlier run of this replay has reported the step with another content.")
          .with("step_key", report.getStepKey());
    }
  }

  private RecordedStep apply(ReportBatch batch, StepReport report, boolean isRecorded) {
    needOwnWords(report);
    TaskChange change = batch.change();
    String kind = report.getReportCase().name().toLowerCase(Locale.ROOT);
    change.emit(
        replayed
            .run()
            .about(
                change,
                change.task().getReplay().getOriginTaskId(),
                report.getStepKey(),
                Payload.of()
                    .text("change", isRecorded ? "changed" : "added")
                    .text("step_key", report.getStepKey())
                    .text("report", kind)));
    return switch (report.getReportCase()) {
      case PROGRESS, MESSAGE, ARTIFACT, EVENT -> batch.apply(report);
      case USAGE, MODEL_CALL, SIDE_EFFECT -> replayed.run().said(change, report);
      case DEPENDENCY, REPORT_NOT_SET ->
          throw ProtocolException.invalid(
              "report", "must be one: a value is none that a handler says otherwise");
    };
  }

  /** A value is none of a replay, unless the request wants it to be computed anew. */
  private RecordedStep refreshed(TaskChange change, StepReport report) {
    return replayed
        .origin()
        .step(change.write().tr(), change.write().tenant(), change.before(), report.getStepKey())
        .filter(step -> OverriddenRun.isRefreshed(change.before(), report.getStepKey()))
        .map(step -> replayed.run().refreshed(change, step, report))
        .orElseThrow(
            () ->
                ProtocolException.invalid(
                    "report", "must be none of a value that the replay does not compute anew"));
  }

  /** What a replay says of itself, its handler can't say. */
  private static void needOwnWords(StepReport report) {
    if (report.getStepKey().startsWith(REPLAY + ":")
        || report.getEvent().getEvent().startsWith(REPLAY + ".")) {
      throw ProtocolException.invalid(
          "step_key", "and events that begin with `replay` are those of the replay itself");
    }
  }
}
