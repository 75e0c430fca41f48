package dev.bridle.core.kernel.call;

import com.google.protobuf.Message;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Authentication;
import dev.bridle.core.kernel.auth.Credentials;
import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.error.ReadableRequests;
import dev.bridle.core.kernel.error.RequestInfo;
import dev.bridle.core.kernel.validate.RequestCheck;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates each call and validates each message before the service sees it. Closes the call
 * with the status that {@link ErrorMapper} maps an exception to, so checks and services just throw.
 * Responses hold the content that the caller may see.
 */
public final class CallInterceptor implements ServerInterceptor {
  private static final Logger log = LoggerFactory.getLogger(CallInterceptor.class);

  private final Authentication authentication;
  private final RequestCheck check;
  private final ShownContent shown = new ShownContent();

  /** Authenticates against these credential sources, in this order. */
  public CallInterceptor(List<Credentials> known, RequestCheck check) {
    this.authentication = new Authentication(known);
    this.check = check;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String requestId = RequestInfo.requestId(headers);
    try {
      if (CallNetwork.isOutside(call.getAttributes())) {
        RequestInfo.dropGateways(headers);
      }
      Context context =
          CallNetwork.in(
              authentication.context(call.getMethodDescriptor(), headers), call.getAttributes());
      return new Guard<>(
          Contexts.interceptCall(context, shown.of(call, context), headers, next),
          call,
          check,
          requestId);
    } catch (RuntimeException e) {
      close(call, e, requestId);
      return new ServerCall.Listener<>() {};
    }
  }

  private static void close(ServerCall<?, ?> call, RuntimeException failure, String requestId) {
    if (call.isCancelled()) {
      return;
    }
    boolean isCommand = Authentication.isCommand(call.getMethodDescriptor());
    StatusException status = ErrorMapper.status(ErrorMapper.detail(failure, requestId, isCommand));
    Metadata trailers = status.getTrailers();
    call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  private static final class Guard<Q> extends SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, ?> call;
    private final RequestCheck check;
    private final String requestId;
    private boolean failed;

    Guard(
        ServerCall.Listener<Q> next, ServerCall<Q, ?> call, RequestCheck check, String requestId) {
      super(next);
      this.call = call;
      this.check = check;
      this.requestId = requestId;
    }

    @Override
    public void onMessage(Q message) {
      guarded(
          () -> {
            if (ReadableRequests.isUnreadable(message)) {
              throw unreadable();
            }
            check.check((Message) message);
            super.onMessage(message);
          });
    }

    private ProtocolException unreadable() {
      String method = call.getMethodDescriptor().getFullMethodName();
      log.info(
          "Request {} of {} is not a protobuf message of the method's request type.",
          requestId,
          method);
      return ProtocolException.of(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          "The request can't be read; send the protobuf message that the method takes.");
    }

    @Override
    public void onHalfClose() {
      guarded(super::onHalfClose);
    }

    @Override
    public void onReady() {
      guarded(super::onReady);
    }

    private void guarded(Runnable step) {
      if (failed) {
        return;
      }
      try {
        step.run();
      } catch (RuntimeException e) {
        failed = true;
        close(call, e, requestId);
      }
    }
  }
}
