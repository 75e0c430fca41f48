package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.CallCredential;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialWatch;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.AcknowledgeCancelResponse;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.CompleteTaskResponse;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.FailTaskResponse;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeartbeatResponse;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.LeaseTasksRequest;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.RegisterWorkerResponse;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.ReportStepResponse;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.RequestInputResponse;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.UnregisterWorkerRequest;
import dev.bridle.worker.v1.UnregisterWorkerResponse;
import dev.bridle.worker.v1.UseSecretRequest;
import dev.bridle.worker.v1.UseSecretResponse;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** The service that workers call. */
public final class WorkerService extends WorkerServiceGrpc.WorkerServiceImplBase {
  private final Registrations registrations;
  private final Dispatcher dispatcher;
  private final Heartbeats heartbeats;
  private final WorkerReports reports;
  private final SecretUses secrets;
  private final StepLists steps;
  private final CredentialWatch credentials;

  WorkerService(
      Registrations registrations,
      Dispatcher dispatcher,
      Heartbeats heartbeats,
      WorkerReports reports,
      SecretUses secrets,
      StepLists steps,
      CredentialWatch credentials) {
    this.registrations = registrations;
    this.dispatcher = dispatcher;
    this.heartbeats = heartbeats;
    this.reports = reports;
    this.secrets = secrets;
    this.steps = steps;
    this.credentials = credentials;
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
    registrations.unregister(Caller.current(), request.getAgentId());
    Replies.send(response, UnregisterWorkerResponse.getDefaultInstance());
  }

  @Override
  public StreamObserver<LeaseTasksRequest> leaseTasks(StreamObserver<LeaseTasksResponse> response) {
    return new LeaseStreamHandler(CallCredential.current(), response);
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
    Replies.send(response, steps.list(Caller.current(), request));
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
  public void useSecret(UseSecretRequest request, StreamObserver<UseSecretResponse> response) {
    Replies.send(response, secrets.use(Caller.current(), request));
  }

  @Override
  public void completeTask(
      CompleteTaskRequest request, StreamObserver<CompleteTaskResponse> response) {
    Replies.send(
        response,
        CompleteTaskResponse.newBuilder()
            .setTask(reports.complete(Caller.current(), request))
            .build());
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

  /** Handles one worker's lease stream: first its hello, then requests for tasks. */
  private final class LeaseStreamHandler implements StreamObserver<LeaseTasksRequest> {
    private final CallCredential credential;
    private final StreamObserver<LeaseTasksResponse> response;
    private Optional<WorkerStream> stream = Optional.empty();
    private Optional<CredentialWatch.Watched> watched = Optional.empty();

    LeaseStreamHandler(CallCredential credential, StreamObserver<LeaseTasksResponse> response) {
      this.credential = credential;
      this.response = response;
      ((ServerCallStreamObserver<LeaseTasksResponse>) response).setOnCancelHandler(this::leave);
    }

    private void leave() {
      watched.ifPresent(CredentialWatch.Watched::close);
      stream.ifPresent(dispatcher::remove);
    }

    @Override
    public void onNext(LeaseTasksRequest request) {
      switch (request.getRequestCase()) {
        case HELLO -> hello(request);
        case WANT -> {
          WorkerStream known =
              stream.orElseThrow(
                  () -> ProtocolException.invalid("want", "must come after 'hello'"));
          known.want(request.getWant());
          dispatcher.poke(known);
        }
        case REQUEST_NOT_SET ->
            throw ProtocolException.invalid("request", "must set exactly one of its members");
      }
    }

    private void hello(LeaseTasksRequest request) {
      if (stream.isPresent()) {
        throw ProtocolException.invalid("hello", "must be sent once per stream");
      }
      Caller caller = credential.caller();
      LeaseHello hello = request.getHello();
      LeaseGrants.Taker taker =
          LeaseGrants.Taker.of(caller, hello, registrations.handlerOf(caller, hello));
      WorkerStream known = new WorkerStream(taker, response);
      stream = Optional.of(known);
      dispatcher.add(known);
      watched =
          Optional.of(
              credentials.watch(
                  credential,
                  why -> {
                    known.fail(why);
                    dispatcher.remove(known);
                  }));
    }

    @Override
    public void onError(Throwable failure) {
      leave();
    }

    @Override
    public void onCompleted() {
      stream.ifPresent(WorkerStream::close); // The core may have ended it already, when it stops.
      leave();
    }
  }
}
