package dev.bridle.cli.crash;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Kills the server at one of the calls by which a worker runs a task: before the server gets it, or
 * when the server has done what it says, and its answer is lost.
 */
final class KilledAtCall implements ClientInterceptor {
  private static final Set<String> COUNTED =
      Set.of("ListSteps", "CompareSteps", "CompleteTask", "FailTask");

  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch killed = new CountDownLatch(1);
  private final int call;
  private final boolean answered;
  private final Runnable kill;

  /**
   * Creates a kill.
   *
   * @param call the number of the call, from 1 on; 0 for none
   * @param answered whether the server answers it first, which the worker does not get
   */
  KilledAtCall(int call, boolean answered, Runnable kill) {
    this.call = call;
    this.answered = answered;
    this.kill = kill;
  }

  /** Returns how many calls there were. */
  int calls() {
    return calls.get();
  }

  /** Waits until the server is dead, and returns whether it is. */
  boolean await(long seconds) throws InterruptedException {
    return killed.await(seconds, TimeUnit.SECONDS);
  }

  private void happen() {
    kill.run();
    killed.countDown();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    boolean isIt = COUNTED.contains(method.getBareMethodName()) && calls.incrementAndGet() == call;
    if (isIt && !answered) {
      happen();
    }
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(isIt && answered ? killing(listener) : listener, headers);
      }
    };
  }

  private <A> ClientCall.Listener<A> killing(ClientCall.Listener<A> listener) {
    return new SimpleForwardingClientCallListener<>(listener) {
      @Override
      public void onMessage(A lost) {
        happen();
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        super.onClose(Status.UNAVAILABLE, new Metadata());
      }
    };
  }
}
