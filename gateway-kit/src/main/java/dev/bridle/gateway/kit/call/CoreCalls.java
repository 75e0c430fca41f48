package dev.bridle.gateway.kit.call;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpHeaderNames;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.GetCallerRequest;
import dev.bridle.gateway.kit.error.CoreFailures;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Calls the core. Callbacks run on the channel's threads: they encode a response and pass it on,
 * and never block.
 */
public final class CoreCalls {

  private static final Metadata.Key<String> AUTHORIZATION = key("authorization");
  private static final Metadata.Key<String> REQUEST_ID = key("bridle-request-id");
  private static final Metadata.Key<String> IDEMPOTENCY_KEY = key("idempotency-key");
  private static final Metadata.Key<String> TRACEPARENT = key("traceparent");
  private static final Metadata.Key<String> CHANNEL = key("bridle-channel");
  // Far longer than any: what is longer is no trace.
  private static final int MAX_TRACEPARENT = 256;
  // A page of a list may be far larger than a request: up to 200 rows of one megabyte each.
  private static final int MAX_ANSWER_BYTES = 256 << 20;

  private final Channel core;
  private final CallOptions options =
      CallOptions.DEFAULT.withExecutor(Runnable::run).withMaxInboundMessageSize(MAX_ANSWER_BYTES);
  private final long timeoutNanos;

  /** Calls the core over a channel; unary calls end after {@code timeout}. */
  public CoreCalls(Channel core, Duration timeout) {
    this.core = core;
    this.timeoutNanos = timeout.toNanos();
  }

  /** Returns the metadata that describes the caller to the core. */
  public static Metadata metadata(Call call) {
    return metadata(call, call.requestId());
  }

  /**
   * Returns the metadata of one of the messages of a call, such as a frame of a WebSocket.
   *
   * @param requestId the message's own id in responses and logs
   */
  public static Metadata metadata(Call call, String requestId) {
    Metadata metadata = new Metadata();
    metadata.put(REQUEST_ID, requestId);
    if (!call.target().open()) {
      String authorization = call.request().headers().get(HttpHeaderNames.AUTHORIZATION);
      if (authorization != null) {
        metadata.put(AUTHORIZATION, authorization);
      }
    }
    if (call.target().frame()) {
      metadata.put(CHANNEL, "websocket");
    }
    if (call.target().command()) {
      String traceparent = call.request().headers().get(TRACEPARENT.name(), "");
      if (!traceparent.isEmpty() && traceparent.length() <= MAX_TRACEPARENT) {
        metadata.put(TRACEPARENT, traceparent);
      }
      HeaderChecks.idempotencyKey(call.request().headers())
          .ifPresent(key -> metadata.put(IDEMPOTENCY_KEY, key));
    }
    return metadata;
  }

  /** Makes a call without a deadline; the caller starts it. */
  public <A, B> ClientCall<A, B> stream(MethodDescriptor<A, B> method) {
    return core.newCall(method, options);
  }

  /** Calls a unary method; fails with a {@link ProtocolException}. */
  public <A, B> CompletableFuture<B> unary(
      MethodDescriptor<A, B> method, A request, Metadata metadata, String requestId) {
    ClientCall<A, B> call =
        core.newCall(method, options.withDeadlineAfter(timeoutNanos, TimeUnit.NANOSECONDS));
    UnaryListener<B> listener = new UnaryListener<>(method.getFullMethodName(), requestId);
    call.start(listener, metadata);
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
    return listener.answer;
  }

  /** Calls the method of an exchange's route. */
  public CompletableFuture<Message> unary(Call call, Message request) {
    return unary(call.target().method(), request, metadata(call), call.requestId());
  }

  /**
   * The error that a request is refused with: the core's where it does not take the caller's
   * credentials, else the given one.
   */
  public CompletableFuture<ProtocolError> refusal(Call call, ProtocolError error) {
    if (call.target().open()) {
      return CompletableFuture.completedFuture(error);
    }
    return unary(
            AuthServiceGrpc.getGetCallerMethod(),
            GetCallerRequest.getDefaultInstance(),
            credentials(call),
            call.requestId())
        .handle(
            (caller, failure) ->
                failure instanceof ProtocolException refused && refused.error().status() == 401
                    ? refused.error()
                    : error);
  }

  /** Returns the metadata of a call without credentials. */
  public static Metadata withoutCredentials(Call call) {
    Metadata metadata = new Metadata();
    metadata.put(REQUEST_ID, call.requestId());
    return metadata;
  }

  /** Returns the metadata that sends only the caller's credentials. */
  static Metadata credentials(Call call) {
    Metadata metadata = new Metadata();
    metadata.put(REQUEST_ID, call.requestId());
    metadata.put(AUTHORIZATION, call.request().headers().get(HttpHeaderNames.AUTHORIZATION, ""));
    return metadata;
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private static final class UnaryListener<B> extends ClientCall.Listener<B> {
    private final CompletableFuture<B> answer = new CompletableFuture<>();
    private final String method;
    private final String requestId;
    private B message;

    UnaryListener(String method, String requestId) {
      this.method = method;
      this.requestId = requestId;
    }

    @Override
    public void onMessage(B received) {
      message = received;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (status.isOk() && message != null) {
        answer.complete(message);
      } else {
        Status failure =
            status.isOk() ? Status.INTERNAL.withDescription("no message was received") : status;
        answer.completeExceptionally(
            new ProtocolException(CoreFailures.error(failure, trailers, method, requestId)));
      }
    }
  }
}
