package dev.bridle.worker;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RecordedStep.ResultCase;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.StepReport;
import java.util.List;

/** Sends reports in a call of their own: the last one, which carries those before it. */
final class ReportCalls {
  private final LeaseHold hold;
  private final CoreCalls calls;

  ReportCalls(LeaseHold hold, CoreCalls calls) {
    this.hold = hold;
    this.calls = calls;
  }

  /**
   * Returns once the reports are durable.
   *
   * @param reports at least one, in order
   * @throws CallRefused if the core rejects one of them, in which case none is applied
   */
  void send(List<StepReport> reports) {
    StepReport last = reports.get(reports.size() - 1);
    ReportStepRequest.Builder request =
        request(last)
            .setTaskId(hold.taskId())
            .addAllEarlierReports(reports.subList(0, reports.size() - 1));
    RecordedStep step =
        calls.call(hold, core -> core.reportStep(request.setFence(hold.fence()).build())).getStep();
    if (step.getResultCase() != ResultCase.TOLD) {
      throw new CallRefused(
          ErrorCode.ERROR_CODE_CONFLICT, StepLog.otherKind(step, ResultCase.TOLD), "", null);
    }
  }

  private static ReportStepRequest.Builder request(StepReport report) {
    ReportStepRequest.Builder request =
        ReportStepRequest.newBuilder()
            .setStepKey(report.getStepKey())
            .setParentStepKey(report.getParentStepKey());
    return switch (report.getReportCase()) {
      case PROGRESS -> request.setProgress(report.getProgress());
      case EVENT -> request.setEvent(report.getEvent());
      case USAGE -> request.setUsage(report.getUsage());
      case MODEL_CALL -> request.setModelCall(report.getModelCall());
      case SIDE_EFFECT -> request.setSideEffect(report.getSideEffect());
      default ->
          throw new IllegalArgumentException(
              "report is " + report.getReportCase() + ", expected one without a result");
    };
  }
}
