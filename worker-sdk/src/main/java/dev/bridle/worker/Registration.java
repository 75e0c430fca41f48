package dev.bridle.worker;

import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.RegisterWorkerResponse;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers an agent durably with the core. An agent without an id takes tasks that no worker is
 * bound to, and is not registered.
 */
final class Registration {
  private static final Logger log = LoggerFactory.getLogger(Registration.class);
  private static final int DEADLINE_SECONDS = 10;

  private final Channel transport;
  private final Channel channel;
  private final Optional<RegisterWorkerRequest> request;

  /**
   * Also needs the plain channel, since only that can reset its connection backoff.
   *
   * @param request the registration; empty for workers that register no agent
   */
  Registration(Channel transport, Channel channel, Optional<RegisterWorkerRequest> request) {
    this.transport = transport;
    this.channel = channel;
    this.request = request;
  }

  /** Registers now, unless the core can't be reached. */
  void register() {
    if (request.isEmpty()) {
      return;
    }
    try {
      RegisterWorkerResponse unused =
          WorkerServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
              .registerWorker(request.get());
    } catch (StatusRuntimeException e) {
      CallRefused refused = CallRefused.from(e);
      if (!refused.isTransient()) {
        throw refused;
      }
      log.warn("The core can't be reached yet: {}", refused.getMessage());
    }
  }

  /** Registers again after the connection was lost, then calls {@code registered}. */
  void renew(Runnable registered, Consumer<Status> failed) {
    if (transport instanceof ManagedChannel managed) {
      managed.resetConnectBackoff();
    }
    if (request.isEmpty()) {
      registered.run();
      return;
    }
    WorkerServiceGrpc.newStub(channel)
        .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
        .registerWorker(
            request.get(),
            new StreamObserver<>() {
              @Override
              public void onNext(RegisterWorkerResponse response) {}

              @Override
              public void onError(Throwable failure) {
                failed.accept(Status.fromThrowable(failure));
              }

              @Override
              public void onCompleted() {
                registered.run();
              }
            });
  }
}
