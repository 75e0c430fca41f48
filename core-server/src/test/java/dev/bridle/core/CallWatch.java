package dev.bridle.core;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what streams ask for and send. */
public final class CallWatch implements ServerInterceptor {
  private final AtomicInteger ahead = new AtomicInteger();
  private final AtomicInteger mostAhead = new AtomicInteger();
  private final AtomicInteger sent = new AtomicInteger();

  /** Returns how many messages a call had asked for at once and not yet been given, at most. */
  public int mostAskedAhead() {
    return mostAhead.get();
  }

  /** Returns how many messages the server has sent. */
  public int sent() {
    return sent.get();
  }

  /** Begins to count anew. */
  public void reset() {
    ahead.set(0);
    mostAhead.set(0);
    sent.set(0);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    ServerCall<Q, R> watched =
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void request(int messages) {
            int now = ahead.addAndGet(messages);
            mostAhead.accumulateAndGet(now, Math::max);
            super.request(messages);
          }

          @Override
          public void sendMessage(R message) {
            sent.incrementAndGet();
            super.sendMessage(message);
          }
        };
    return new SimpleForwardingServerCallListener<>(next.startCall(watched, headers)) {
      @Override
      public void onMessage(Q message) {
        ahead.decrementAndGet();
        super.onMessage(message);
      }
    };
  }
}
