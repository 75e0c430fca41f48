package dev.bridle.core.kernel.error;

import dev.bridle.api.v1.ErrorCode;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a call with what {@link ErrorMapper} makes of an exception. The outermost interceptor:
 * services just throw.
 */
public final class ErrorInterceptor implements ServerInterceptor {
  private static final Logger log = LoggerFactory.getLogger(ErrorInterceptor.class);

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String requestId = RequestInfo.requestId(headers);
    try {
      return new Guard<>(next.startCall(call, headers), call, requestId);
    } catch (RuntimeException e) {
      close(call, e, requestId);
      return new ServerCall.Listener<>() {};
    }
  }

  private static void close(ServerCall<?, ?> call, RuntimeException failure, String requestId) {
    if (call.isCancelled()) {
      return;
    }
    StatusException status = ErrorMapper.status(ErrorMapper.detail(failure, requestId));
    Metadata trailers = status.getTrailers();
    call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  private static final class Guard<Q> extends SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, ?> call;
    private final String requestId;
    private boolean failed;

    Guard(ServerCall.Listener<Q> next, ServerCall<Q, ?> call, String requestId) {
      super(next);
      this.call = call;
      this.requestId = requestId;
    }

    @Override
    public void onMessage(Q message) {
      guarded(
          () -> {
            if ((Object) message instanceof ReadableRequests.Unreadable) {
              throw unreadable();
            }
            super.onMessage(message);
          });
    }

    private ProtocolException unreadable() {
      String method = call.getMethodDescriptor().getFullMethodName();
      log.info("Request {} of {} is no protobuf message of its type.", requestId, method);
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
