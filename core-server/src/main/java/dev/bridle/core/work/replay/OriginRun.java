package dev.bridle.core.work.replay;

import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.ErasedPayload;
import dev.bridle.core.kernel.visibility.Redactions;
import dev.bridle.core.work.report.Reports;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.CompareStepsResponse;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReplayedRun;
import dev.bridle.worker.v1.ReplayedStep;
import dev.bridle.worker.v1.StepReport;
import java.util.List;
import java.util.Optional;

/** Reads the run that a replay repeats: the last one of its origin (section "Replay contract"). */
public final class OriginRun {
  private final TaskStore tasks;
  private final Steps steps;
  private final OriginValues values;

  /** Creates the reads of a core. */
  public OriginRun(CoreContext context, TaskStore tasks) {
    this.tasks = tasks;
    this.steps = new Steps(new StepStore(context.layout()));
    this.values = new OriginValues(context, tasks);
  }

  /** Returns the task that a replay goes back to. */
  public static TaskRecord of(
      TaskStore tasks, ReadTransaction tr, String tenant, TaskRecord replay) {
    String id = replay.getTask().getReplay().getOriginTaskId();
    return tasks.find(tr, tenant, id).orElseThrow(() -> ProtocolException.notFound("task", id));
  }

  /** Returns the task that a replay goes back to. */
  public TaskRecord of(ReadTransaction tr, String tenant, TaskRecord replay) {
    return of(tasks, tr, tenant, replay);
  }

  /** Returns what the worker gets with the lease of a replay. */
  public static ReplayedRun leased(
      TaskStore tasks, ReadTransaction tr, String tenant, TaskRecord replay) {
    TaskRecord origin = of(tasks, tr, tenant, replay);
    Task task =
        tasks.resource(tr, tenant, origin).toBuilder()
            .setStatus(TaskStatus.TASK_STATUS_WORKING)
            .clearReceiptId()
            .clearOutcomeId()
            .clearCompletedAt()
            .clearCanceledAt()
            .clearFailure()
            .build();
    ReplayedRun.Builder run = ReplayedRun.newBuilder();
    if (replay.getTask().getReplay().hasCheckpoint()) {
      run.setFromSequence(replay.getTask().getReplay().getCheckpoint().getSequence());
    }
    return run.setTask(task)
        .setAttempt(origin.getAttempt())
        .setTraceId(origin.getTraceId())
        .setStopped(OriginEnd.wasStopped(origin))
        .setOverrides(OverriddenRun.is(replay))
        .build();
  }

  /** Returns a page of the recorded steps in the order of their keys. */
  public ListStepsResponse steps(
      ReadTransaction tr, String tenant, TaskRecord replay, String afterKey) {
    TaskRecord origin = of(tr, tenant, replay);
    Steps.Page page = steps.page(tr, tenant, origin.getTask().getId(), afterKey);
    ListStepsResponse.Builder response = ListStepsResponse.newBuilder().setHasMore(page.hasMore());
    for (StepRecord record : page.records()) {
      ReplayedStep.Builder replayed =
          ReplayedStep.newBuilder()
              .setReplayable(isReplayable(record) && !isWrong(tr, tenant, origin, record))
              .setEarlier(isEarlier(record, origin))
              .setInputHash(record.getInputHash())
              .setFailure(record.getFailure())
              .setSequence(record.getSequence());
      Optional<StepRecord> own = replacing(tr, tenant, replay, record);
      if (OverriddenRun.isRefreshed(replay, record.getStep().getStepKey())) {
        replayed.setRefreshed(true).setReplayable(false);
      }
      own.ifPresent(step -> replayed.setReplayable(true).setOverridden(true).clearInputHash());
      response.addSteps(own.orElse(record).getStep()).addReplayed(replayed);
    }
    return response.build();
  }

  /** A value that is not the one that was committed to is no record of anything. */
  private boolean isWrong(ReadTransaction tr, String tenant, TaskRecord origin, StepRecord record) {
    return values.wrong(tr, tenant, origin.getTask().getId(), record).isPresent();
  }

  /** Returns the replay's own step that replaces one of its origin. */
  private Optional<StepRecord> replacing(
      ReadTransaction tr, String tenant, TaskRecord replay, StepRecord record) {
    String key = record.getStep().getStepKey();
    return replay.getTask().getReplay().getOverrideKeysList().contains(key)
            || OverriddenRun.isRefreshed(replay, key)
        ? steps.findRecord(tr, tenant, replay.getTask().getId(), key)
        : Optional.empty();
  }

  private static boolean isEarlier(StepRecord record, TaskRecord origin) {
    long began = origin.getLease().getRunFence();
    long run = began == 0 ? origin.getLease().getFence() : began;
    return record.getFence() != 0 && record.getFence() < run;
  }

  /** Erased steps lack the hash, and so do those of earlier releases. */
  private static boolean isReplayable(StepRecord record) {
    RecordedStep step = record.getStep();
    return switch (step.getResultCase()) {
      case VALUE ->
          !record.getRequestHash().isEmpty()
              && !(record.getSalt().isEmpty() && ErasedPayload.isErased(step.getValue()));
      case MESSAGE, ARTIFACT, TOLD -> !record.getRequestHash().isEmpty();
      case ANSWER -> !Redactions.isErased(step.getAnswer().getPartsList());
      case PERMISSION -> !step.getPermission().getFingerprint().equals(Redactions.REDACTED);
      case SECRET -> !record.getSalt().isEmpty();
      case TIMED_OUT -> true;
      case PENDING, RESULT_NOT_SET -> false;
    };
  }

  /** Returns which reports are not as the record has them. */
  public CompareStepsResponse compare(
      ReadTransaction tr, String tenant, TaskRecord replay, List<StepReport> reports) {
    String origin = replay.getTask().getReplay().getOriginTaskId();
    CompareStepsResponse.Builder response = CompareStepsResponse.newBuilder();
    for (int i = 0; i < reports.size(); i++) {
      StepReport report = reports.get(i);
      boolean same =
          steps
              .findRecord(tr, tenant, origin, report.getStepKey())
              .filter(record -> record.getRequestHash().equals(Reports.hash(report)))
              .isPresent();
      if (!same) {
        response.addDifferent(i);
      }
    }
    return response.build();
  }

  /** Returns the record of a step of a replay's origin. */
  public Optional<StepRecord> step(
      ReadTransaction tr, String tenant, TaskRecord replay, String stepKey) {
    return steps.findRecord(tr, tenant, replay.getTask().getReplay().getOriginTaskId(), stepKey);
  }
}
