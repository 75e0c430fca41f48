package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.CallCredential;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.AcknowledgeCancelResponse;
import dev.bridle.worker.v1.CheckRecordedValuesRequest;
import dev.bridle.worker.v1.CheckRecordedValuesResponse;
import dev.bridle.worker.v1.CompareStepsRequest;
import dev.bridle.worker.v1.CompareStepsResponse;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.CompleteTaskResponse;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.FailTaskResponse;
import dev.bridle.worker.v1.GetSessionStateRequest;
import dev.bridle.worker.v1.GetSessionStateResponse;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeartbeatResponse;
import dev.bridle.worker.v1.LeaseTasksRequest;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.ReadTranscriptRequest;
import dev.bridle.worker.v1.ReadTranscriptResponse;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.RegisterWorkerResponse;
import dev.bridle.worker.v1.ReportDivergenceRequest;
import dev.bridle.worker.v1.ReportDivergenceResponse;
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
import dev.bridle.worker.v1.UnregisterWorkerRequest;
import dev.bridle.worker.v1.UnregisterWorkerResponse;
import dev.bridle.worker.v1.UseSecretRequest;
import dev.bridle.worker.v1.UseSecretResponse;
import dev.bridle.worker.v1.WithdrawQuestionRequest;
import dev.bridle.worker.v1.WithdrawQuestionResponse;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.stub.StreamObserver;

/** The service that workers call. */
public final class WorkerService extends WorkerServiceGrpc.WorkerServiceImplBase {
  private final Registrations registrations;
  private final LeaseStreams streams;
  private final Heartbeats heartbeats;
  private final WorkerReports reports;
  private final SecretUses secrets;
  private final LeaseReads reads;
  private final SessionStates states;

  WorkerService(
      Registrations registrations,
      LeaseStreams streams,
      Heartbeats heartbeats,
      WorkerReports reports,
      SecretUses secrets,
      LeaseReads reads,
      SessionStates states) {
    this.registrations = registrations;
    this.streams = streams;
    this.heartbeats = heartbeats;
    this.reports = reports;
    this.secrets = secrets;
    this.reads = reads;
    this.states = states;
  }

  @Override
  public void registerWorker(
      RegisterWorkerRequest request, StreamObserver<RegisterWorkerResponse> response) {
    registrations.register(Caller.current(), request);
    Replies.send(response, RegisterWorkerResponse.getDefaultInstance());
  }

  @Override
  public void unregisterWorker(
      UnregisterWorkerRequest request, StreamObserver<UnregisterWorkerResponse> response) {
    registrations.unregister(Caller.current(), request);
    Replies.send(response, UnregisterWorkerResponse.getDefaultInstance());
  }

  @Override
  public StreamObserver<LeaseTasksRequest> leaseTasks(StreamObserver<LeaseTasksResponse> response) {
    return streams.open(CallCredential.current(), response);
  }

  @Override
  public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> response) {
    Replies.send(response, heartbeats.renew(Caller.current(), request));
  }

  @Override
  public void reportStep(ReportStepRequest request, StreamObserver<ReportStepResponse> response) {
    Replies.send(response, reports.report(Caller.current(), request));
  }

  @Override
  public void listSteps(ListStepsRequest request, StreamObserver<ListStepsResponse> response) {
    Replies.send(response, reads.steps().list(Caller.current(), request));
  }

  @Override
  public void checkRecordedValues(
      CheckRecordedValuesRequest request, StreamObserver<CheckRecordedValuesResponse> response) {
    Replies.send(response, reads.steps().check(Caller.current(), request));
  }

  @Override
  public void compareSteps(
      CompareStepsRequest request, StreamObserver<CompareStepsResponse> response) {
    Replies.send(response, reports.compare(Caller.current(), request));
  }

  @Override
  public void requestInput(
      RequestInputRequest request, StreamObserver<RequestInputResponse> response) {
    Replies.send(response, reports.requestInput(Caller.current(), request));
  }

  @Override
  public void requestPermission(
      RequestPermissionRequest request, StreamObserver<RequestPermissionResponse> response) {
    Replies.send(response, reports.requestPermission(Caller.current(), request));
  }

  @Override
  public void takeMessages(
      TakeMessagesRequest request, StreamObserver<TakeMessagesResponse> response) {
    Replies.send(response, reports.messages().take(Caller.current(), request));
  }

  @Override
  public void withdrawQuestion(
      WithdrawQuestionRequest request, StreamObserver<WithdrawQuestionResponse> response) {
    Replies.send(response, reports.withdraw(Caller.current(), request));
  }

  @Override
  public void reportDivergence(
      ReportDivergenceRequest request, StreamObserver<ReportDivergenceResponse> response) {
    Replies.send(response, reports.diverge(Caller.current(), request));
  }

  @Override
  public void useSecret(UseSecretRequest request, StreamObserver<UseSecretResponse> response) {
    Replies.send(response, secrets.use(Caller.current(), request));
  }

  @Override
  public void getSessionState(
      GetSessionStateRequest request, StreamObserver<GetSessionStateResponse> response) {
    Replies.send(response, states.get(Caller.current(), request));
  }

  @Override
  public void setSessionState(
      SetSessionStateRequest request, StreamObserver<SetSessionStateResponse> response) {
    Replies.send(response, states.set(Caller.current(), request));
  }

  @Override
  public void readTranscript(
      ReadTranscriptRequest request, StreamObserver<ReadTranscriptResponse> response) {
    Replies.send(response, reads.transcript().read(Caller.current(), request));
  }

  @Override
  public void completeTask(
      CompleteTaskRequest request, StreamObserver<CompleteTaskResponse> response) {
    Replies.send(response, reports.complete(Caller.current(), request));
  }

  @Override
  public void failTask(FailTaskRequest request, StreamObserver<FailTaskResponse> response) {
    Replies.send(
        response,
        FailTaskResponse.newBuilder().setTask(reports.fail(Caller.current(), request)).build());
  }

  @Override
  public void acknowledgeCancel(
      AcknowledgeCancelRequest request, StreamObserver<AcknowledgeCancelResponse> response) {
    Replies.send(
        response,
        AcknowledgeCancelResponse.newBuilder()
            .setTask(reports.acknowledgeCancel(Caller.current(), request))
            .build());
  }
}
