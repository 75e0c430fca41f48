package dev.bridle.worker;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.worker.OriginRecord.Entry;
import dev.bridle.worker.v1.CompareStepsRequest;
import dev.bridle.worker.v1.CompareStepsResponse;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RecordedStep.ResultCase;
import dev.bridle.worker.v1.ReplayedRun;
import dev.bridle.worker.v1.ReplayedStep;
import dev.bridle.worker.v1.StepReport;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Answers the steps of a handler in a replay from what was recorded, in any order, since its
 * threads may take them in any. Computes and reports nothing; the core compares what would have
 * been reported, some of it at a time. The first difference counts, also if the handler catches it.
 */
final class ReplayedSteps implements StepLog {
  private static final Set<ResultCase> ASKED =
      Set.of(ResultCase.PENDING, ResultCase.ANSWER, ResultCase.TIMED_OUT, ResultCase.PERMISSION);

  private final LeaseHold hold;
  private final CoreCalls core;
  private final boolean stopped;
  private final boolean isFirstAttempt;
  private final boolean replacesValues;
  private final RestoredPart restored;
  private final Computing computing = new Computing();
  private final Set<String> taken = new HashSet<>();
  private final Set<String> reported = new HashSet<>();
  private final RunPath path = new RunPath();
  private final WaitingReports waiting = new WaitingReports();
  private OriginRecord origin = OriginRecord.EMPTY;
  private Optional<ReplayBroken> first = Optional.empty();
  private boolean reachedEnd;
  private boolean isClosed;

  /**
   * Creates the steps of a replay; {@link #load} reads them.
   *
   * @param run the recorded run; one that was stopped ends where the record does
   */
  ReplayedSteps(TaskCalls calls, ReplayedRun run) {
    this.hold = calls.hold();
    this.core = calls.core();
    this.stopped = run.getStopped();
    this.isFirstAttempt = run.getAttempt() <= 1;
    this.replacesValues = run.getOverrides();
    this.restored = new RestoredPart(run);
  }

  /** Reads what was recorded. */
  synchronized void load() {
    origin = OriginRecord.load(hold, core);
  }

  /** Returns whether a step was reported while a value was computed, which is not done again. */
  synchronized boolean isWithinValue(String stepKey) {
    return origin
        .find(stepKey)
        .map(entry -> entry.step().getParentStepKey())
        .filter(value -> !value.isEmpty())
        .isPresent();
  }

  /**
   * Ends the run: the handler has said how its task ends, and what it still does is not recorded.
   */
  synchronized void close() {
    isClosed = true;
  }

  /** Returns whether the record is used up, and the recorded run was stopped then. */
  synchronized boolean isOver() {
    return stopped
        && (reachedEnd
            || origin.entries().stream()
                .filter(entry -> !entry.how().getEarlier())
                .allMatch(entry -> isDone(entry)));
  }

  private boolean isMissed(Entry entry) {
    return !entry.how().getEarlier() && !restored.isUpTo(entry.how()) && !isDone(entry);
  }

  /** Of questions and requests it is not known whether a value's computation has asked them. */
  private boolean isDone(Entry entry) {
    return ASKED.contains(entry.step().getResultCase())
        || !entry.step().getParentStepKey().isEmpty()
        || taken.contains(entry.step().getStepKey());
  }

  /** Throws what a handler gets that was stopped where the record ends. */
  void throwIfOver() {
    if (isOver()) {
      throw new TaskCancelled(TaskCancelled.Reason.CANCEL_REQUESTED);
    }
  }

  @Override
  public synchronized boolean has(String stepKey) {
    return taken.contains(stepKey)
        || origin.find(stepKey).filter(entry -> entry.how().getEarlier()).isPresent();
  }

  private void needOpen() {
    first.ifPresent(
        broken -> {
          throw broken;
        });
    if (isClosed) {
      throw new TaskCancelled(TaskCancelled.Reason.CANCEL_REQUESTED);
    }
  }

  /** Takes a step, which has to be of some kind. */
  synchronized RecordedStep take(String stepKey, Set<ResultCase> kinds) {
    needOpen();
    Entry entry =
        origin
            .find(stepKey)
            .filter(found -> !found.step().hasPending())
            .orElseThrow(() -> missing(stepKey));
    if (!kinds.contains(entry.step().getResultCase())) {
      throw diverged(
          "step "
              + stepKey
              + ": recorded as "
              + entry.step().getResultCase()
              + ", and is one of "
              + kinds);
    }
    if (!entry.how().getReplayable()) {
      throw unavailable("step " + stepKey + ": it was redacted, or recorded by an earlier release");
    }
    taken.add(stepKey);
    restored.taken(entry.how());
    return entry.step();
  }

  /** Returns what is thrown at a step that the record does not have. */
  synchronized RuntimeException missing(String stepKey) {
    compareAll();
    if (stopped) {
      reachedEnd = true;
      return new TaskCancelled(TaskCancelled.Reason.CANCEL_REQUESTED);
    }
    String what = "step " + stepKey + ": not recorded";
    return replacesValues ? unavailable(what) : diverged(what);
  }

  /** Returns what is thrown where the core does not find what was asked for in the record. */
  synchronized RuntimeException conflict(String stepKey, String what) {
    return stopped ? missing(stepKey) : diverged(what);
  }

  /** Returns what is thrown where the handler does not do what was recorded. */
  synchronized ReplayBroken diverged(String what) {
    compareAll();
    return broken(ReplayBroken.DIVERGED, what);
  }

  /** Returns what is thrown where the record lacks what the handler needs. */
  synchronized ReplayBroken unavailable(String what) {
    compareAll();
    return broken(ReplayBroken.UNAVAILABLE, what);
  }

  private ReplayBroken broken(String code, String what) {
    first = first.or(() -> Optional.of(new ReplayBroken(code, what)));
    return first.get();
  }

  @Override
  public synchronized Optional<RecordedStep> value(String stepKey, String inputHash) {
    origin.nextFailure(stepKey).ifPresent(computing::fails);
    if (computing.fails()) {
      return Optional.empty();
    }
    if (origin.isRefreshed(stepKey)) {
      needOpen();
      return path.recorded(stepKey);
    }
    RecordedStep step = take(stepKey, Set.of(ResultCase.VALUE));
    ReplayedStep how = origin.need(stepKey).how();
    if (!how.getOverridden() && !restored.has(how) && !how.getInputHash().equals(inputHash)) {
      throw diverged("step " + stepKey + ": it depends on another input");
    }
    return Optional.of(step);
  }

  @Override
  public Optional<RecordedStep> answer(String stepKey) {
    return Optional.of(take(stepKey, Set.of(ResultCase.ANSWER, ResultCase.TIMED_OUT)));
  }

  /** Returns the result; empty if the call was not allowed, as the core says again. */
  @Override
  public Optional<RecordedStep> hostTool(String stepKey) {
    return Optional.of(
            take(stepKey, Set.of(ResultCase.ANSWER, ResultCase.TIMED_OUT, ResultCase.PERMISSION)))
        .filter(step -> !step.hasPermission());
  }

  @Override
  public void keep(RecordedStep step) {}

  @Override
  public void report(String stepKey, Consumer<StepReport.Builder> content) {
    var unused = record(stepKey, ResultCase.TOLD, content);
  }

  @Override
  public synchronized RecordedStep record(
      String stepKey, ResultCase expected, Consumer<StepReport.Builder> content) {
    hold.throwIfSilenced();
    if (!parent().isEmpty()) {
      return withinValue(stepKey, expected);
    }
    boolean isNew = replacesValues && origin.find(stepKey).isEmpty();
    if (isNew) {
      needOpen();
      taken.add(stepKey);
    }
    RecordedStep step = isNew ? RecordedStep.getDefaultInstance() : take(stepKey, Set.of(expected));
    StepReport.Builder report = StepReport.newBuilder().setStepKey(stepKey);
    content.accept(report);
    if ((isNew || isCompared(origin.need(stepKey).how())) && reported.add(stepKey)) {
      compareLater(report.build());
    }
    return replacesValues && expected != ResultCase.TOLD ? changed(step, stepKey) : step;
  }

  /**
   * What another attempt says otherwise is recorded as the first one has said it, and so is what
   * this one says otherwise under the same key.
   */
  private boolean isCompared(ReplayedStep how) {
    return (isFirstAttempt || !how.getEarlier()) && !restored.has(how);
  }

  /** Returns what the replay has of a report whose result the handler gets. */
  private RecordedStep changed(RecordedStep recorded, String stepKey) {
    compareAll();
    needOpen();
    RecordedStep step = path.recorded(stepKey).orElse(recorded);
    if (step.hasArtifact()) {
      path.made(step);
    }
    return step;
  }

  private void compareLater(StepReport report) {
    if (waiting.add(report)) {
      compareAll();
    }
  }

  /**
   * What a computation reports that is done anew is not kept, so that a run after a crash, which
   * reads the value, does the same. What needs a result has none.
   */
  private RecordedStep withinValue(String stepKey, ResultCase expected) {
    needOpen();
    if (expected != ResultCase.TOLD) {
      throw unavailable("step " + stepKey + ": made by a value that is computed anew");
    }
    return RecordedStep.getDefaultInstance();
  }

  /** Only a value that the request wants to be computed anew has a computation. */
  @Override
  public String parent() {
    return computing.key();
  }

  @Override
  public <T> T compute(String stepKey, Callable<T> compute) throws Exception {
    if (!computing.fails()) {
      begin(stepKey);
    }
    return computing.within(stepKey, compute);
  }

  private synchronized void begin(String stepKey) {
    needOpen();
    taken.add(stepKey);
    restored.taken(origin.need(stepKey).how());
  }

  /** Records a value that was computed anew. Another thread may have been first. */
  @Override
  public synchronized RecordedStep recordValue(String stepKey, String inputHash, ByteString value) {
    needOpen();
    if (path.recorded(stepKey).isEmpty()) {
      compareAll();
      compare(
          List.of(
              StepReport.newBuilder()
                  .setStepKey(stepKey)
                  .setDependency(
                      DependencyReport.newBuilder()
                          .setValue(value)
                          .setKind(RecordingSteps.kindOf(stepKey))
                          .setInputHash(inputHash))
                  .build()));
      needOpen();
    }
    return path.recorded(stepKey).orElseThrow();
  }

  /** Lets the core compare what is not compared yet. */
  private void compareAll() {
    waiting.drain(this::compare);
  }

  private void compare(List<StepReport> reports) {
    CompareStepsRequest.Builder request =
        CompareStepsRequest.newBuilder().setTaskId(hold.taskId()).addAllReports(reports);
    CompareStepsResponse compared = call(request);
    if (replacesValues) {
      for (RecordedStep step : compared.getRecordedList()) {
        if (origin.isRefreshed(step.getStepKey())) {
          path.refreshed(step);
        } else {
          path.differs(step, origin.find(step.getStepKey()).isPresent());
        }
      }
      return;
    }
    compared.getDifferentList().stream()
        .findFirst()
        .ifPresent(
            index -> {
              String key = reports.get(index).getStepKey();
              var unused =
                  broken(ReplayBroken.DIVERGED, "step " + key + ": reported with another content");
            });
  }

  /** Lets the core compare. What it rejects, it would have rejected in a task, too. */
  private CompareStepsResponse call(CompareStepsRequest.Builder request) {
    try {
      return core.call(hold, stub -> stub.compareSteps(request.setFence(hold.fence()).build()));
    } catch (CallRefused e) {
      if (e.isTransient() || e.isServerError()) {
        throw e;
      }
      var unused =
          broken(
              e.code() == ErrorCode.ERROR_CODE_CONFLICT
                  ? ReplayBroken.DIVERGED
                  : ReplayBroken.UNAVAILABLE,
              "a report was rejected: " + e.getMessage());
      return CompareStepsResponse.getDefaultInstance();
    }
  }

  /**
   * Returns the first difference, once the handler has ended. Steps that the last run has recorded
   * and the replay does not take are one, unless the computation of a value took them.
   */
  synchronized Optional<ReplayBroken> finish() {
    compareAll();
    List<String> missed =
        origin.entries().stream()
            .filter(this::isMissed)
            .map(entry -> entry.step().getStepKey())
            .toList();
    if (first.isEmpty() && replacesValues) {
      missed.forEach(path::notTaken);
      path.ended(origin, taken, restored);
      var unused =
          call(CompareStepsRequest.newBuilder().setTaskId(hold.taskId()).setPath(path.summary()));
    } else if (first.isEmpty() && !missed.isEmpty()) {
      var unused =
          broken(
              ReplayBroken.DIVERGED,
              "step " + missed.get(0) + ": recorded, and not taken any more");
    }
    return first;
  }

  /** Returns the first difference so far. */
  synchronized Optional<ReplayBroken> first() {
    return first;
  }
}
