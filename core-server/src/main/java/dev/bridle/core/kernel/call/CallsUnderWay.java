package dev.bridle.core.kernel.call;

import dev.bridle.core.kernel.auth.Caller;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.time.Duration;
import java.util.function.BiPredicate;

/**
 * Counts the calls under way, open streams among them, and knows how long there was none. To be
 * installed where the caller is known.
 */
public final class CallsUnderWay implements ServerInterceptor {
  private final BiPredicate<Caller, String> waits;
  private long open;
  private long unusedSince = System.nanoTime();

  /**
   * Creates it, without any call.
   *
   * @param waits returns whether a call is no use of the server, by its caller and method: parts of
   *     the server wait for work by them
   */
  public CallsUnderWay(BiPredicate<Caller, String> waits) {
    this.waits = waits;
  }

  /** Returns how long no call has been under way; zero while one is. */
  public synchronized Duration unused() {
    return open > 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - unusedSince);
  }

  private synchronized void begun() {
    open++;
  }

  private synchronized void ended() {
    open--;
    unusedSince = System.nanoTime();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    boolean isUse =
        Caller.of(Context.current())
            .filter(caller -> waits.test(caller, call.getMethodDescriptor().getBareMethodName()))
            .isEmpty();
    if (!isUse) {
      return next.startCall(call, headers);
    }
    begun();
    try {
      // A call ends in exactly one of the two.
      return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onComplete() {
          ended();
          super.onComplete();
        }

        @Override
        public void onCancel() {
          ended();
          super.onCancel();
        }
      };
    } catch (RuntimeException e) {
      ended();
      throw e;
    }
  }
}
