package dev.bridle.gateway;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.connector.v1.FindIngressResponse;
import dev.bridle.connector.v1.IngressServiceGrpc;
import dev.bridle.gateway.kit.error.CoreFailures;
import io.grpc.HandlerRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A core that answers as a test tells it to, over a real in-process channel. */
final class FakeCore extends HandlerRegistry implements AutoCloseable {

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Map<String, ServerMethodDefinition<?, ?>> methods = new ConcurrentHashMap<>();
  private final Map<String, Metadata> seen = new ConcurrentHashMap<>();
  private final Map<String, Object> requests = new ConcurrentHashMap<>();
  private final Server server;
  private final ManagedChannel channel;

  FakeCore() {
    String name = InProcessServerBuilder.generateName();
    try {
      server =
          InProcessServerBuilder.forName(name)
              .fallbackHandlerRegistry(this)
              // Calls of a direct executor by two threads at once lose some that say it is ready.
              .executor(Runnable::run)
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    answer(
        AuthServiceGrpc.getGetCallerMethod(),
        request -> {
          if (String.valueOf(metadata(AuthServiceGrpc.getGetCallerMethod()).get(AUTHORIZATION))
              .contains("bad")) {
            throw failure(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "The key is not known.");
          }
          return Caller.getDefaultInstance();
        });
    answer(
        IngressServiceGrpc.getFindIngressMethod(),
        request -> FindIngressResponse.newBuilder().setConnectorId("connector_1").build());
  }

  ManagedChannel channel() {
    return channel;
  }

  <A, B> void answer(MethodDescriptor<A, B> method, Function<A, B> answer) {
    put(
        method,
        ServerCalls.asyncUnaryCall(
            (request, observer) -> {
              requests.put(method.getFullMethodName(), request);
              B response;
              try {
                response = answer.apply(request);
              } catch (RuntimeException e) {
                observer.onError(e);
                return;
              }
              observer.onNext(response);
              observer.onCompleted();
            }));
  }

  <A, B> void stream(MethodDescriptor<A, B> method, BiConsumer<A, ServerCallStreamObserver<B>> to) {
    put(
        method,
        ServerCalls.asyncServerStreamingCall(
            (request, observer) -> {
              requests.put(method.getFullMethodName(), request);
              to.accept(request, (ServerCallStreamObserver<B>) observer);
            }));
  }

  <A, B> void upload(
      MethodDescriptor<A, B> method,
      Function<ServerCallStreamObserver<B>, StreamObserver<A>> receiver) {
    put(
        method,
        ServerCalls.asyncClientStreamingCall(
            observer -> receiver.apply((ServerCallStreamObserver<B>) observer)));
  }

  Metadata metadata(MethodDescriptor<?, ?> method) {
    return seen.get(method.getFullMethodName());
  }

  @SuppressWarnings("unchecked")
  <A> A request(MethodDescriptor<A, ?> method) {
    return (A) requests.get(method.getFullMethodName());
  }

  static StatusRuntimeException failure(ErrorCode code, String message) {
    return failure(
        ErrorDetail.newBuilder().setCode(code).setMessage(message).build(), Status.UNKNOWN);
  }

  static StatusRuntimeException failure(ErrorDetail detail, Status status) {
    Metadata trailers = new Metadata();
    trailers.put(CoreFailures.DETAIL, detail.toByteArray());
    return status.asRuntimeException(trailers);
  }

  private <A, B> void put(MethodDescriptor<A, B> method, ServerCallHandler<A, B> handler) {
    ServerCallHandler<A, B> noting =
        (ServerCall<A, B> call, Metadata headers) -> {
          seen.put(method.getFullMethodName(), headers);
          return handler.startCall(call, headers);
        };
    methods.put(method.getFullMethodName(), ServerMethodDefinition.create(method, noting));
  }

  @Override
  public ServerMethodDefinition<?, ?> lookupMethod(String methodName, String authority) {
    return methods.get(methodName);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }
}
