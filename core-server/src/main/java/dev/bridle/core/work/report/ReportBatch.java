package dev.bridle.core.work.report;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.StepReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The reports of one call, in one change of the task: each is applied once by its step key, in
 * order. Not thread-safe.
 */
public final class ReportBatch {
  private final Reports reports;
  private final TaskChange change;
  private final Map<String, RecordedStep> applied = new HashMap<>();

  /** Creates the reports of a call about the task of a change. */
  public ReportBatch(Reports reports, TaskChange change) {
    this.reports = reports;
    this.change = change;
  }

  /** Returns the change that the reports belong to. */
  public TaskChange change() {
    return change;
  }

  /** Returns the task's record before this call. */
  public TaskRecord before() {
    return change.before();
  }

  /**
   * Applies the reports that no earlier call has applied. Returns false if the usage of one of them
   * ended the task, after which the call must apply nothing more.
   */
  public boolean applyAll(List<StepReport> earlier) {
    for (int i = 0; i < earlier.size(); i++) {
      try {
        applyOnce(earlier.get(i));
      } catch (ProtocolException e) {
        String member = "earlier_reports[" + i + "]";
        throw e.blaming(e.param().map(param -> member + "." + param).orElse(member));
      }
      if (TaskLifecycle.terminal(change.status())) {
        return false;
      }
    }
    return true;
  }

  private void applyOnce(StepReport report) {
    Optional<RecordedStep> known = known(report.getStepKey());
    if (known.isEmpty()) {
      var unused = apply(report);
    } else if (known.get().getResultCase() != Reports.resultOf(report)) {
      // The worker gets no record to compare, as it does from a report that is its own call.
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CONFLICT,
              "The step key is recorded with another kind of result; use a key for one step.")
          .with("step_key", report.getStepKey())
          .blaming("step_key");
    }
  }

  /** Returns the step that an earlier report with the same key recorded. */
  public Optional<RecordedStep> known(String stepKey) {
    // The task's record shows whether any step is stored: a first report reads none.
    return before().getHasSteps()
        ? reports.known(change, stepKey)
        : Optional.ofNullable(applied.get(stepKey));
  }

  /** Returns whether each of these reports has been applied. */
  public boolean knowsAll(List<StepReport> earlier) {
    return earlier.stream().allMatch(report -> known(report.getStepKey()).isPresent());
  }

  /** Applies a report for the first time; a task whose usage exhausts a hard quota ends. */
  public RecordedStep apply(StepReport report) {
    RecordedStep step = reports.apply(change, report);
    applied.put(step.getStepKey(), step);
    return step;
  }

  /** Stores the task if a report was applied. */
  public void saveIfApplied() {
    if (!applied.isEmpty()) {
      change.save();
    }
  }
}
