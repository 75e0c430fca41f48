package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.permission.PermissionGate;
import dev.bridle.core.work.permission.Permissions;
import dev.bridle.core.work.permission.VoidedApprovals;
import dev.bridle.core.work.replay.HandlerReplays;
import dev.bridle.core.work.report.ReportBatch;
import dev.bridle.core.work.report.Reports;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskInbox;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.CompareStepsRequest;
import dev.bridle.worker.v1.CompareStepsResponse;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.CompleteTaskResponse;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportDivergenceRequest;
import dev.bridle.worker.v1.ReportDivergenceResponse;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.ReportStepResponse;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.WithdrawQuestionRequest;
import dev.bridle.worker.v1.WithdrawQuestionResponse;
import dev.bridle.worker.v1.WithdrawalReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Applies what workers report about the tasks that they hold. None of these calls needs a command
 * id: each carries the lease's fencing token, and a retry finds its step or its ending recorded.
 */
final class WorkerReports {
  private final LeaseCalls calls;
  private final Reports reports;
  private final InputRequests inputs;
  private final PermissionGate gate;
  private final VoidedApprovals voided;
  private final AttemptEndings endings;
  private final UserMessages messages;
  private final ReplayedCalls replayed;
  private final ChangedReports changed;

  WorkerReports(
      LeaseCalls calls,
      Reports reports,
      InputRequests inputs,
      Permissions permissions,
      AttemptEndings endings,
      UserMessages messages,
      ReplayedCalls replayed) {
    this.replayed = replayed;
    this.changed = new ChangedReports(replayed);
    this.messages = messages;
    this.calls = calls;
    this.reports = reports;
    this.inputs = inputs;
    this.gate = permissions.gate();
    this.voided = permissions.voided();
    this.endings = endings;
  }

  ReportStepResponse report(Caller caller, ReportStepRequest request) {
    StepReport own = Reports.of(request);
    List<RecordedStep> tried = new ArrayList<>();
    return calls.run(
        caller,
        new LeaseCalls.Call(
            FencedWrite.REPORT_STEP,
            request.getTaskId(),
            request.getFence(),
            request.getEarlierReportsList()),
        batch -> {
          Fences.needWorking(batch.before(), caller, request.getFence());
          Optional<RecordedStep> known = batch.known(own.getStepKey());
          if (known.isPresent()) {
            batch.saveIfApplied();
            // An earlier attempt of this call may have been applied with an unknown outcome.
            return ReportStepResponse.newBuilder()
                .setStep(known.get())
                .setApplied(tried.contains(known.get()))
                .build();
          }
          RecordedStep step = batch.apply(own);
          batch.saveIfApplied();
          tried.add(step);
          return ReportStepResponse.newBuilder().setStep(step).setApplied(true).build();
        });
  }

  CompareStepsResponse compare(Caller caller, CompareStepsRequest request) {
    return replayed
        .compare(caller, request)
        .orElseGet(
            () ->
                calls.run(
                    caller,
                    new LeaseCalls.Call(
                        FencedWrite.COMPARE_STEPS,
                        request.getTaskId(),
                        request.getFence(),
                        List.of()),
                    batch -> {
                      Fences.needHeld(batch.before(), caller, request.getFence());
                      return changed.record(batch, request);
                    }));
  }

  RequestInputResponse requestInput(Caller caller, RequestInputRequest request) {
    return calls.run(
        caller,
        new LeaseCalls.Call(
            FencedWrite.REQUEST_INPUT,
            request.getTaskId(),
            request.getFence(),
            request.getEarlierReportsList()),
        batch -> {
          if (Fences.endedBy(batch.before(), caller, request.getFence())) {
            return RequestInputResponse.getDefaultInstance(); // The task was canceled instead.
          }
          Fences.needNewest(batch.before(), caller, request.getFence());
          TaskChange change = batch.change();
          if (HandlerReplays.is(batch.before())) {
            return replayed.input(change, request);
          }
          Optional<RequestInputResponse> known = inputs.known(change, request);
          if (known.isPresent()) {
            batch.saveIfApplied();
            return known.get();
          }
          Fences.needHeld(batch.before(), caller, request.getFence());
          Optional<RequestInputResponse> refused = inputs.refused(change, request);
          if (refused.isPresent()) {
            batch.saveIfApplied();
            return refused.get();
          }
          RequestInputResponse asked = inputs.ask(change, request);
          change.save();
          return asked;
        });
  }

  RequestPermissionResponse requestPermission(Caller caller, RequestPermissionRequest request) {
    return calls.run(
        caller,
        new LeaseCalls.Call(
            FencedWrite.REQUEST_PERMISSION,
            request.getTaskId(),
            request.getFence(),
            request.getEarlierReportsList()),
        batch -> {
          if (Fences.endedBy(batch.before(), caller, request.getFence())) {
            return gate.canceled();
          }
          Fences.needNewest(batch.before(), caller, request.getFence());
          TaskChange change = batch.change();
          if (HandlerReplays.is(batch.before())) {
            return replayed.permission(change, request);
          }
          Optional<RequestPermissionResponse> waits = gate.pendingResponse(change, request);
          if (waits.isPresent()) {
            return waits.get();
          }
          Fences.needHeld(batch.before(), caller, request.getFence());
          Optional<RequestPermissionResponse> known = gate.earlierDecision(change, request);
          if (known.isPresent()) {
            batch.saveIfApplied();
            return known.get();
          }
          RequestPermissionResponse answer = gate.decide(change, request);
          change.save();
          return answer;
        });
  }

  WithdrawQuestionResponse withdraw(Caller caller, WithdrawQuestionRequest request) {
    boolean hasChanged = request.getReason() == WithdrawalReason.WITHDRAWAL_REASON_CHANGED;
    return calls.run(
        caller,
        new LeaseCalls.Call(
            FencedWrite.WITHDRAW_QUESTION, request.getTaskId(), request.getFence(), List.of()),
        batch -> {
          if (Fences.endedBy(batch.before(), caller, request.getFence())) {
            return WithdrawQuestionResponse.getDefaultInstance();
          }
          Fences.needNewest(batch.before(), caller, request.getFence());
          TaskChange change = batch.change();
          String key = request.getStepKey();
          boolean withdrawn =
              hasChanged ? inputs.change(change, key) : inputs.withdraw(change, key);
          boolean isVoid = hasChanged && !withdrawn && voided.change(change, key);
          if (withdrawn || isVoid) {
            change.save();
          }
          return WithdrawQuestionResponse.newBuilder()
              .setWithdrawn(withdrawn)
              .setVoided(isVoid)
              .build();
        });
  }

  ReportDivergenceResponse diverge(Caller caller, ReportDivergenceRequest request) {
    return calls.run(
        caller,
        new LeaseCalls.Call(
            FencedWrite.REPORT_DIVERGENCE, request.getTaskId(), request.getFence(), List.of()),
        batch -> {
          HandlerReplays.refuse(batch.before(), "reports nothing: the record answers its handler");
          Fences.needNewest(batch.before(), caller, request.getFence());
          TaskChange change = batch.change();
          ReportDivergenceResponse response = voided.diverge(change, request);
          change.save();
          return response;
        });
  }

  /** Returns what hands messages of users to workers. */
  UserMessages messages() {
    return messages;
  }

  CompleteTaskResponse complete(Caller caller, CompleteTaskRequest request) {
    return calls.run(
        caller,
        new LeaseCalls.Call(
            FencedWrite.END_ATTEMPT,
            request.getTaskId(),
            request.getFence(),
            request.getEarlierReportsList(),
            request.getSerializedSize()),
        batch -> {
          boolean held = Fences.held(batch.before(), caller.actor(), request.getFence());
          boolean took = held && batch.change().inbox().take(request.getTakenThrough());
          boolean waits = held && TaskInbox.waits(batch.change().record());
          if (waits && took) {
            batch.change().save();
          } else if (waits) {
            batch.saveIfApplied();
          }
          return CompleteTaskResponse.newBuilder()
              .setMessagesWaiting(waits)
              .setTask(
                  waits
                      ? batch.change().record().getTask()
                      : ended(
                          caller, batch, request.getFence(), change -> complete(change, request)))
              .build();
        });
  }

  private void complete(TaskChange change, CompleteTaskRequest request) {
    if (HandlerReplays.is(change.before())) {
      replayed.completed(change, request, () -> result(change, request));
    } else {
      endings.complete(change, result(change, request), request.getSessionIdle());
    }
  }

  private void fail(TaskChange change, FailTaskRequest request) {
    if (HandlerReplays.is(change.before()) && !request.getRetryable()) {
      replayed.failed(change, request.getFailure());
    } else {
      endings.fail(change, request.getFailure(), request.getRetryable());
    }
  }

  private TaskEndings.Result result(TaskChange change, CompleteTaskRequest request) {
    return new TaskEndings.Result(
        request.getSummary(),
        request.hasMessage()
            ? List.of(reports.append(change, request.getMessage()).getId())
            : List.of(),
        request.getArtifactIdsList(),
        request.getCost(),
        request.getMetrics());
  }

  Task fail(Caller caller, FailTaskRequest request) {
    Failure failure = request.getFailure();
    if (failure.getCode().isEmpty() || failure.getMessage().isEmpty()) {
      throw ProtocolException.invalid("failure", "needs a code and a message");
    }
    return end(
        caller,
        new LeaseCalls.Call(
            FencedWrite.END_ATTEMPT,
            request.getTaskId(),
            request.getFence(),
            request.getEarlierReportsList()),
        change -> fail(change, request));
  }

  Task acknowledgeCancel(Caller caller, AcknowledgeCancelRequest request) {
    return end(
        caller,
        new LeaseCalls.Call(
            FencedWrite.END_ATTEMPT,
            request.getTaskId(),
            request.getFence(),
            request.getEarlierReportsList()),
        change -> {
          if (change.record().getCancelRequestedAt() == 0) {
            throw ProtocolException.invalid(
                "task_id", "cancellation of this task was not requested");
          }
          endings.cancel(change);
        });
  }

  /** Ends a task or an attempt. The response omits the task's input, which the worker knows. */
  private Task end(Caller caller, LeaseCalls.Call call, Consumer<TaskChange> ending) {
    return calls.run(caller, call, batch -> ended(caller, batch, call.fence(), ending));
  }

  private static Task ended(
      Caller caller, ReportBatch batch, long fence, Consumer<TaskChange> ending) {
    TaskRecord before = batch.before();
    if (Fences.endedBy(before, caller, fence)) {
      return before.getTask();
    }
    Fences.needWorking(before, caller, fence);
    boolean held = Fences.held(before, caller.actor(), fence);
    if (held && before.getTask().getStatus() != TaskStatus.TASK_STATUS_WORKING) {
      throw new IllegalStateException("a task that is not WORKING has a held lease");
    }
    TaskChange change = batch.change();
    change.markEndedBy();
    ending.accept(change);
    return change.save().getTask();
  }
}
