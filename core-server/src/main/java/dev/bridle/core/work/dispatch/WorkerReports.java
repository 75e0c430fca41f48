package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.permission.PermissionGate;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskQuotas;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.ReportStepResponse;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Applies what workers report about the tasks that they hold. None of these calls needs a command
 * id: each carries the lease's fencing token, and a retry finds its step or its ending recorded.
 */
final class WorkerReports {
  private final Commands commands;
  private final TaskStores stores;
  private final Reports reports;
  private final InputRequests inputs;
  private final PermissionGate gate;
  private final LostAttempts lost;
  private final TaskEndings endings;

  WorkerReports(
      Commands commands,
      TaskStores stores,
      Reports reports,
      InputRequests inputs,
      PermissionGate gate,
      LostAttempts lost,
      TaskEndings endings) {
    this.commands = commands;
    this.stores = stores;
    this.reports = reports;
    this.inputs = inputs;
    this.gate = gate;
    this.lost = lost;
    this.endings = endings;
  }

  ReportStepResponse report(Caller caller, ReportStepRequest request) {
    List<RecordedStep> tried = new ArrayList<>();
    return commands.fenced(
        FencedWrite.REPORT_STEP,
        caller.tenant(),
        caller.actor(),
        write -> {
          TaskRecord before = stores.tasks().need(write.tr(), caller, request.getTaskId());
          Fences.needHeld(before, caller, request.getFence());
          Optional<RecordedStep> known = reports.known(write, request);
          if (known.isPresent()) {
            // An earlier attempt of this call may have been applied with an unknown outcome.
            return ReportStepResponse.newBuilder()
                .setStep(known.get())
                .setApplied(tried.contains(known.get()))
                .build();
          }
          TaskChange change = stores.change(write, before);
          RecordedStep step = reports.apply(change, request);
          if (request.hasUsage()) {
            stores
                .quotas()
                .breach(change, TaskQuotas.Step.GO_ON)
                .ifPresent(cause -> lost.refused(change, cause));
          }
          change.save();
          tried.add(step);
          return ReportStepResponse.newBuilder().setStep(step).setApplied(true).build();
        });
  }

  RequestInputResponse requestInput(Caller caller, RequestInputRequest request) {
    return commands.fenced(
        FencedWrite.REQUEST_INPUT,
        caller.tenant(),
        caller.actor(),
        write -> {
          TaskRecord before = stores.tasks().need(write.tr(), caller, request.getTaskId());
          if (Fences.endedBy(before, caller, request.getFence())) {
            return RequestInputResponse.getDefaultInstance(); // The task was canceled instead.
          }
          Fences.needNewest(before, caller, request.getFence());
          TaskChange change = stores.change(write, before);
          Optional<RequestInputResponse> known = inputs.known(change, request);
          if (known.isPresent()) {
            return known.get();
          }
          Fences.needHeld(before, caller, request.getFence());
          Optional<RequestInputResponse> refused = inputs.refused(change, request);
          if (refused.isPresent()) {
            return refused.get();
          }
          RequestInputResponse asked = inputs.ask(change, request);
          change.save();
          return asked;
        });
  }

  RequestPermissionResponse requestPermission(Caller caller, RequestPermissionRequest request) {
    return commands.fenced(
        FencedWrite.REQUEST_PERMISSION,
        caller.tenant(),
        caller.actor(),
        write -> {
          TaskRecord before = stores.tasks().need(write.tr(), caller, request.getTaskId());
          if (Fences.endedBy(before, caller, request.getFence())) {
            return gate.canceled();
          }
          Fences.needNewest(before, caller, request.getFence());
          TaskChange change = stores.change(write, before);
          Optional<RequestPermissionResponse> waits = gate.pendingResponse(change, request);
          if (waits.isPresent()) {
            return waits.get();
          }
          Fences.needHeld(before, caller, request.getFence());
          Optional<RequestPermissionResponse> known = gate.earlierDecision(change, request);
          if (known.isPresent()) {
            return known.get();
          }
          RequestPermissionResponse answer = gate.decide(change, request);
          change.save();
          return answer;
        });
  }

  Task complete(Caller caller, CompleteTaskRequest request) {
    return end(
        caller,
        request.getTaskId(),
        request.getFence(),
        change -> {
          List<String> messageIds =
              request.hasMessage()
                  ? List.of(reports.append(change, request.getMessage()).getId())
                  : List.of();
          endings.complete(
              change,
              new TaskEndings.Result(
                  request.getSummary(),
                  messageIds,
                  request.getArtifactIdsList(),
                  request.getCost(),
                  request.getMetrics()));
        });
  }

  Task fail(Caller caller, FailTaskRequest request) {
    Failure failure = request.getFailure();
    if (failure.getCode().isEmpty() || failure.getMessage().isEmpty()) {
      throw ProtocolException.invalid("failure", "needs a code and a message");
    }
    return end(
        caller,
        request.getTaskId(),
        request.getFence(),
        change -> {
          if (request.getRetryable()) {
            lost.lose(change, failure);
          } else {
            endings.fail(change, failure);
          }
        });
  }

  Task acknowledgeCancel(Caller caller, AcknowledgeCancelRequest request) {
    return end(
        caller,
        request.getTaskId(),
        request.getFence(),
        change -> {
          if (change.record().getCancelRequestedAt() == 0) {
            throw ProtocolException.invalid(
                "task_id", "cancellation of this task was not requested");
          }
          endings.cancel(change);
        });
  }

  /** Ends a task or an attempt. The response omits the task's input, which the worker knows. */
  private Task end(Caller caller, String task, long fence, Consumer<TaskChange> ending) {
    return commands.fenced(
        FencedWrite.END_ATTEMPT,
        caller.tenant(),
        caller.actor(),
        write -> {
          TaskRecord before = stores.tasks().need(write.tr(), caller, task);
          if (Fences.endedBy(before, caller, fence)) {
            return before.getTask();
          }
          Fences.needHeld(before, caller, fence);
          if (before.getTask().getStatus() != TaskStatus.TASK_STATUS_WORKING) {
            throw new IllegalStateException("a task that is not WORKING has a held lease");
          }
          TaskChange change = stores.change(write, before);
          change.markEndedBy();
          ending.accept(change);
          return change.save().getTask();
        });
  }
}
