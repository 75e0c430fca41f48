package dev.bridle.harpgateway;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.auth.v1.GetCallerRequest;
import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.discovery.v1.GetHealthRequest;
import dev.bridle.discovery.v1.Health;
import dev.bridle.gateway.kit.error.CoreFailures;
import dev.bridle.relay.v1.DismissRequest;
import dev.bridle.relay.v1.DismissResponse;
import dev.bridle.relay.v1.GetExchangeRequest;
import dev.bridle.relay.v1.GetExchangeResponse;
import dev.bridle.relay.v1.ListInboxRequest;
import dev.bridle.relay.v1.ListInboxResponse;
import dev.bridle.relay.v1.RelayServiceGrpc;
import dev.bridle.relay.v1.SubmitAckRequest;
import dev.bridle.relay.v1.SubmitAckResponse;
import dev.bridle.relay.v1.SubmitArtifactRequest;
import dev.bridle.relay.v1.SubmitArtifactResponse;
import dev.bridle.relay.v1.SubmitDecisionRequest;
import dev.bridle.relay.v1.SubmitDecisionResponse;
import dev.bridle.relay.v1.WaitDecisionRequest;
import dev.bridle.relay.v1.WaitDecisionResponse;
import dev.bridle.relay.v1.WithdrawRequest;
import dev.bridle.relay.v1.WithdrawResponse;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A relay in the core that responds as a test has set, over an in-process channel. */
final class FakeRelay extends RelayServiceGrpc.RelayServiceImplBase implements AutoCloseable {
  private final List<Message> asked = new CopyOnWriteArrayList<>();
  private final FakeChannels channels = new FakeChannels();
  private final FakePairing pairing = new FakePairing();
  private final Server server;
  private final ManagedChannel channel;
  private volatile ByteString envelope = ByteString.EMPTY;
  private volatile Optional<ErrorDetail> failure = Optional.empty();
  private final List<Runnable> held = new CopyOnWriteArrayList<>();
  private volatile boolean holding;
  private volatile Health health = Health.getDefaultInstance();

  FakeRelay() {
    String name = InProcessServerBuilder.generateName();
    try {
      server =
          InProcessServerBuilder.forName(name)
              .addService(this)
              .addService(channels)
              .addService(pairing)
              .addService(
                  new AuthServiceGrpc.AuthServiceImplBase() {
                    @Override
                    public void getCaller(
                        GetCallerRequest request, StreamObserver<Caller> response) {
                      response.onNext(Caller.newBuilder().setTenantId("default").build());
                      response.onCompleted();
                    }
                  })
              .addService(
                  new DiscoveryServiceGrpc.DiscoveryServiceImplBase() {
                    @Override
                    public void getHealth(
                        GetHealthRequest request, StreamObserver<Health> response) {
                      response.onNext(health);
                      response.onCompleted();
                    }
                  })
              .directExecutor()
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    channel = InProcessChannelBuilder.forName(name).directExecutor().build();
  }

  ManagedChannel channel() {
    return channel;
  }

  FakeChannels channels() {
    return channels;
  }

  FakePairing pairing() {
    return pairing;
  }

  /** Answers each call with an envelope. */
  void answer(String bytes) {
    envelope = ByteString.copyFromUtf8(bytes);
  }

  /** Refuses each call. */
  void refuse(ErrorDetail detail) {
    failure = Optional.of(detail);
  }

  /** Sets the status of the server that it is in. */
  void health(boolean ok, String status) {
    health = Health.newBuilder().setOk(ok).setStatus(status).setVersion("1").build();
  }

  /** Holds its responses until it is released. */
  void hold() {
    holding = true;
  }

  /** Answers what was asked meanwhile, and what comes. */
  void release() {
    holding = false;
    held.forEach(Runnable::run);
    held.clear();
  }

  /** Forgets what was asked, and how to answer. */
  void forget() {
    asked.clear();
    envelope = ByteString.EMPTY;
    failure = Optional.empty();
  }

  /** Returns what was asked last. */
  Message asked() {
    return asked.get(asked.size() - 1);
  }

  List<Message> allAsked() {
    return asked;
  }

  static RuntimeException failure(ErrorDetail detail) {
    Metadata trailers = new Metadata();
    trailers.put(CoreFailures.DETAIL, detail.toByteArray());
    return Status.UNKNOWN.asRuntimeException(trailers);
  }

  private <B> void answer(
      Message request, StreamObserver<B> response, Function<ByteString, B> answer) {
    asked.add(request);
    if (failure.isPresent()) {
      response.onError(failure(failure.get()));
      return;
    }
    Runnable send =
        () -> {
          response.onNext(answer.apply(envelope));
          response.onCompleted();
        };
    if (holding) {
      held.add(send);
    } else {
      send.run();
    }
  }

  @Override
  public void submitArtifact(
      SubmitArtifactRequest request, StreamObserver<SubmitArtifactResponse> response) {
    answer(request, response, it -> SubmitArtifactResponse.newBuilder().setEnvelope(it).build());
  }

  @Override
  public void submitDecision(
      SubmitDecisionRequest request, StreamObserver<SubmitDecisionResponse> response) {
    answer(request, response, it -> SubmitDecisionResponse.newBuilder().setEnvelope(it).build());
  }

  @Override
  public void submitAck(SubmitAckRequest request, StreamObserver<SubmitAckResponse> response) {
    answer(request, response, it -> SubmitAckResponse.newBuilder().setEnvelope(it).build());
  }

  @Override
  public void listInbox(ListInboxRequest request, StreamObserver<ListInboxResponse> response) {
    answer(request, response, it -> ListInboxResponse.newBuilder().setEnvelope(it).build());
  }

  @Override
  public void dismiss(DismissRequest request, StreamObserver<DismissResponse> response) {
    answer(request, response, it -> DismissResponse.getDefaultInstance());
  }

  @Override
  public void getExchange(
      GetExchangeRequest request, StreamObserver<GetExchangeResponse> response) {
    answer(request, response, it -> GetExchangeResponse.newBuilder().setEnvelope(it).build());
  }

  @Override
  public void waitDecision(
      WaitDecisionRequest request, StreamObserver<WaitDecisionResponse> response) {
    answer(request, response, it -> WaitDecisionResponse.newBuilder().setEnvelope(it).build());
  }

  @Override
  public void withdraw(WithdrawRequest request, StreamObserver<WithdrawResponse> response) {
    answer(request, response, it -> WithdrawResponse.newBuilder().setEnvelope(it).build());
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }
}
