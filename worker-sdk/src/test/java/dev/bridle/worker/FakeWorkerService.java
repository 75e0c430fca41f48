package dev.bridle.worker;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.AcknowledgeCancelResponse;
import dev.bridle.worker.v1.AskedPermission;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.CompleteTaskResponse;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.FailTaskResponse;
import dev.bridle.worker.v1.GetSessionStateRequest;
import dev.bridle.worker.v1.GetSessionStateResponse;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeartbeatResponse;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.LeaseStatus;
import dev.bridle.worker.v1.LeaseTasksRequest;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.PendingQuestion;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.ReadTranscriptRequest;
import dev.bridle.worker.v1.ReadTranscriptResponse;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.RegisterWorkerResponse;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.ReportStepResponse;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.SetSessionStateRequest;
import dev.bridle.worker.v1.SetSessionStateResponse;
import dev.bridle.worker.v1.TakeMessagesRequest;
import dev.bridle.worker.v1.TakeMessagesResponse;
import dev.bridle.worker.v1.UseSecretRequest;
import dev.bridle.worker.v1.UseSecretResponse;
import dev.bridle.worker.v1.WithdrawQuestionRequest;
import dev.bridle.worker.v1.WithdrawQuestionResponse;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.Supplier;

/** What workers call of a {@link FakeCore}: each call is made alone, and fails as it says. */
final class FakeWorkerService extends WorkerServiceGrpc.WorkerServiceImplBase {
  private final FakeCore core;

  FakeWorkerService(FakeCore core) {
    this.core = core;
  }

  @Override
  public StreamObserver<LeaseTasksRequest> leaseTasks(
      StreamObserver<LeaseTasksResponse> responses) {
    core.open(responses);
    return new StreamObserver<>() {
      @Override
      public void onNext(LeaseTasksRequest request) {
        if (!request.hasHello()) {
          core.want(responses, request.getWant());
        }
      }

      @Override
      public void onError(Throwable failure) {
        onCompleted();
      }

      @Override
      public void onCompleted() {
        core.close(responses);
      }
    };
  }

  @Override
  public void registerWorker(
      RegisterWorkerRequest request, StreamObserver<RegisterWorkerResponse> response) {
    answer("RegisterWorker", response, RegisterWorkerResponse::getDefaultInstance);
  }

  @Override
  public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> response) {
    answer(
        "Heartbeat",
        response,
        () -> {
          HeartbeatResponse.Builder statuses = HeartbeatResponse.newBuilder();
          for (HeldLease lease : request.getLeasesList()) {
            FakeCore.Entry entry = core.entry(lease.getTaskId());
            boolean held = entry.fence == lease.getFence();
            statuses.addStatuses(
                LeaseStatus.newBuilder()
                    .setTaskId(lease.getTaskId())
                    .setState(held ? entry.state : LeaseState.LEASE_STATE_FREE)
                    .setCancelRequested(held && entry.cancelRequested)
                    .setMessagesWaiting(held && waits(entry)));
          }
          return statuses.build();
        });
  }

  @Override
  public void reportStep(ReportStepRequest request, StreamObserver<ReportStepResponse> response) {
    answer(
        "ReportStep",
        response,
        () -> {
          FakeCore.Entry entry = core.held(request.getTaskId(), request.getFence());
          boolean known = entry.steps.containsKey(request.getStepKey());
          core.reports().apply(entry.steps, request);
          return ReportStepResponse.newBuilder()
              .setStep(entry.steps.get(request.getStepKey()))
              .setApplied(!known)
              .build();
        });
  }

  @Override
  public void getSessionState(
      GetSessionStateRequest request, StreamObserver<GetSessionStateResponse> response) {
    answer(
        "GetSessionState",
        response,
        () -> {
          var unused = core.held(request.getTaskId(), request.getFence());
          GetSessionStateResponse.Builder kept = GetSessionStateResponse.newBuilder();
          core.sessionState().ifPresent(kept::setState);
          return kept.build();
        });
  }

  @Override
  public void setSessionState(
      SetSessionStateRequest request, StreamObserver<SetSessionStateResponse> response) {
    answer(
        "SetSessionState",
        response,
        () -> {
          var unused = core.held(request.getTaskId(), request.getFence());
          return SetSessionStateResponse.newBuilder()
              .setState(core.keep(request.getState()))
              .build();
        });
  }

  @Override
  public void readTranscript(
      ReadTranscriptRequest request, StreamObserver<ReadTranscriptResponse> response) {
    answer(
        "ReadTranscript",
        response,
        () -> {
          var unused = core.held(request.getTaskId(), request.getFence());
          return ReadTranscriptResponse.newBuilder()
              .addMessages(Message.newBuilder().setRole(Role.ROLE_USER).addParts(text("Make it.")))
              .addMessages(Message.newBuilder().setRole(Role.ROLE_AGENT).addParts(text("Made.")))
              .build();
        });
  }

  private static Part text(String text) {
    return Part.newBuilder().setText(TextPart.newBuilder().setText(text)).build();
  }

  @Override
  public void listSteps(ListStepsRequest request, StreamObserver<ListStepsResponse> response) {
    answer(
        "ListSteps",
        response,
        () -> {
          FakeCore.Entry entry = core.held(request.getTaskId(), request.getFence());
          List<RecordedStep> left =
              entry.steps.values().stream()
                  .filter(step -> step.getStepKey().compareTo(request.getAfterStepKey()) > 0)
                  .toList();
          return ListStepsResponse.newBuilder()
              .addAllSteps(left.subList(0, Math.min(2, left.size())))
              .setHasMore(left.size() > 2)
              .build();
        });
  }

  @Override
  public void requestInput(
      RequestInputRequest request, StreamObserver<RequestInputResponse> response) {
    answer(
        "RequestInput",
        response,
        () -> {
          FakeCore.Entry entry = core.held(request.getTaskId(), request.getFence());
          core.reports().applyEarlier(entry.steps, request.getEarlierReportsList());
          RecordedStep step = entry.steps.get(request.getStepKey());
          if (step != null && step.hasAnswer()) {
            return RequestInputResponse.newBuilder().setAnswer(step.getAnswer()).build();
          }
          if (step != null && step.hasTimedOut()) {
            return RequestInputResponse.newBuilder().setTimedOut(true).build();
          }
          boolean undecided =
              request.hasToolCall()
                  && entry.verdict != PermissionVerdict.PERMISSION_VERDICT_ALLOWED;
          boolean refused =
              undecided && entry.verdict != PermissionVerdict.PERMISSION_VERDICT_WAITING;
          if (refused) {
            return RequestInputResponse.newBuilder()
                .setVerdict(entry.verdict)
                .setReason("as you like")
                .build();
          }
          RecordedStep.Builder left = RecordedStep.newBuilder().setStepKey(request.getStepKey());
          entry.steps.put(
              request.getStepKey(),
              undecided
                  ? left.setPermission(AskedPermission.getDefaultInstance()).build()
                  : left.setPending(PendingQuestion.getDefaultInstance()).build());
          boolean parks = LeaseTimes.nanos(request.getHold()) > 0;
          entry.state = parks ? LeaseState.LEASE_STATE_PARKED : LeaseState.LEASE_STATE_FREE;
          entry.wantsAnswer = true;
          entry.question = request.getPrompt();
          return RequestInputResponse.getDefaultInstance();
        });
  }

  @Override
  public void requestPermission(
      RequestPermissionRequest request, StreamObserver<RequestPermissionResponse> response) {
    answer(
        "RequestPermission",
        response,
        () -> {
          FakeCore.Entry entry = core.held(request.getTaskId(), request.getFence());
          core.reports().applyEarlier(entry.steps, request.getEarlierReportsList());
          if (entry.verdict == PermissionVerdict.PERMISSION_VERDICT_WAITING) {
            boolean parks = LeaseTimes.nanos(request.getHold()) > 0;
            entry.state = parks ? LeaseState.LEASE_STATE_PARKED : LeaseState.LEASE_STATE_FREE;
            entry.wantsAnswer = true;
            entry.question = request.getPrompt();
          }
          RequestPermissionResponse.Builder decided =
              RequestPermissionResponse.newBuilder()
                  .setVerdict(entry.verdict)
                  .setRequestId("permission_1")
                  .setReason("as you like")
                  .setAnswer(request.getMetadata());
          if (request.getAcceptsModified()) {
            String arguments = "{\"replaces\":\"" + request.getArgumentsMember() + "\"}";
            decided.setArguments(ByteString.copyFromUtf8(arguments));
          }
          return decided.build();
        });
  }

  @Override
  public void withdrawQuestion(
      WithdrawQuestionRequest request, StreamObserver<WithdrawQuestionResponse> response) {
    answer(
        "WithdrawQuestion",
        response,
        () -> {
          boolean open = core.hasPending(request.getTaskId());
          if (open) {
            core.timeOut(request.getTaskId());
          }
          return WithdrawQuestionResponse.newBuilder().setWithdrawn(open).build();
        });
  }

  @Override
  public void takeMessages(
      TakeMessagesRequest request, StreamObserver<TakeMessagesResponse> response) {
    answer(
        "TakeMessages",
        response,
        () -> {
          FakeCore.Entry entry = core.held(request.getTaskId(), request.getFence());
          take(entry, request.getTakenThrough());
          return TakeMessagesResponse.newBuilder().addAllMessages(entry.messages).build();
        });
  }

  private static void take(FakeCore.Entry entry, long through) {
    entry.messages.replaceAll(
        one -> one.getSequence() <= through ? one.toBuilder().setTaken(true).build() : one);
  }

  private static boolean waits(FakeCore.Entry entry) {
    return entry.messages.stream().anyMatch(one -> !one.getTaken());
  }

  /** Has one secret of each name, which says what it is of. */
  @Override
  public void useSecret(UseSecretRequest request, StreamObserver<UseSecretResponse> response) {
    answer(
        "UseSecret",
        response,
        () -> {
          FakeCore.Entry entry = core.held(request.getTaskId(), request.getFence());
          core.reports().applyEarlier(entry.steps, request.getEarlierReportsList());
          if (request.getName().equals("absent")) {
            throw FakeCore.refusal(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, Status.NOT_FOUND);
          }
          return UseSecretResponse.newBuilder()
              .setValue("value of " + request.getVaultId() + "/" + request.getName())
              .build();
        });
  }

  @Override
  public void completeTask(
      CompleteTaskRequest request, StreamObserver<CompleteTaskResponse> response) {
    answer(
        "CompleteTask",
        response,
        () -> {
          FakeCore.Entry entry = core.entry(request.getTaskId());
          take(entry, request.getTakenThrough());
          if (waits(entry)) {
            return CompleteTaskResponse.newBuilder().setMessagesWaiting(true).build();
          }
          core.ended(
              request.getTaskId(),
              request.getFence(),
              request.getEarlierReportsList(),
              "completed " + request.getSummary(),
              false);
          return CompleteTaskResponse.getDefaultInstance();
        });
  }

  @Override
  public void failTask(FailTaskRequest request, StreamObserver<FailTaskResponse> response) {
    answer(
        "FailTask",
        response,
        () -> {
          String how =
              (request.getRetryable() ? "retry " : "failed ")
                  + request.getFailure().getCode()
                  + " "
                  + request.getFailure().getMessage();
          core.ended(
              request.getTaskId(),
              request.getFence(),
              request.getEarlierReportsList(),
              how,
              request.getRetryable());
          return FailTaskResponse.getDefaultInstance();
        });
  }

  @Override
  public void acknowledgeCancel(
      AcknowledgeCancelRequest request, StreamObserver<AcknowledgeCancelResponse> response) {
    answer(
        "AcknowledgeCancel",
        response,
        () -> {
          core.ended(
              request.getTaskId(),
              request.getFence(),
              request.getEarlierReportsList(),
              "canceled",
              false);
          return AcknowledgeCancelResponse.getDefaultInstance();
        });
  }

  private <T> void answer(String method, StreamObserver<T> response, Supplier<T> body) {
    synchronized (core) {
      if (core.failsCall(method)) {
        response.onError(Status.UNAVAILABLE.asRuntimeException());
        return;
      }
      try {
        T result = body.get();
        if (core.losesAnswer(method)) {
          response.onError(Status.UNAVAILABLE.asRuntimeException());
          return;
        }
        response.onNext(result);
        response.onCompleted();
      } catch (StatusRuntimeException e) {
        response.onError(e);
      }
    }
  }
}
