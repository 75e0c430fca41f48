package dev.bridle.core.kernel.validate;

import com.google.protobuf.Message;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/** Checks every message that comes in, before a service sees it. */
public final class ValidationInterceptor implements ServerInterceptor {
  private final RequestCheck check;

  public ValidationInterceptor(RequestCheck check) {
    this.check = check;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      @Override
      public void onMessage(Q message) {
        check.check((Message) message);
        super.onMessage(message);
      }
    };
  }
}
