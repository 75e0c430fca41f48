package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.CallCredential;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialWatch;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.LeaseTasksRequest;
import dev.bridle.worker.v1.LeaseTasksResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** Opens the lease streams of workers: first a hello, then requests for tasks. */
final class LeaseStreams {
  private final Registrations registrations;
  private final Dispatcher dispatcher;
  private final CredentialWatch credentials;

  LeaseStreams(Registrations registrations, Dispatcher dispatcher, CredentialWatch credentials) {
    this.registrations = registrations;
    this.dispatcher = dispatcher;
    this.credentials = credentials;
  }

  /** Returns the worker's end of a stream, which is opened with a credential. */
  StreamObserver<LeaseTasksRequest> open(
      CallCredential credential, StreamObserver<LeaseTasksResponse> response) {
    return new LeaseStreamHandler(credential, response);
  }

  /** Handles one worker's lease stream: first its hello, then requests for tasks. */
  private final class LeaseStreamHandler implements StreamObserver<LeaseTasksRequest> {
    private final CallCredential credential;
    private final ServerCallStreamObserver<LeaseTasksResponse> response;
    private Optional<WorkerStream> stream = Optional.empty();
    private Optional<CredentialWatch.Watched> watched = Optional.empty();

    LeaseStreamHandler(CallCredential credential, StreamObserver<LeaseTasksResponse> response) {
      this.credential = credential;
      this.response = (ServerCallStreamObserver<LeaseTasksResponse>) response;
      this.response.setOnCancelHandler(this::leave);
      this.response.setOnReadyHandler(this::ready);
    }

    private void ready() {
      stream.filter(WorkerStream::ready).ifPresent(dispatcher::poke);
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
      OwnAgents.needTaker(caller, hello.getAgentId());
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
