package dev.bridle.benchmarks;

import dev.bridle.storage.kit.count.Cost;
import dev.bridle.storage.kit.count.CountingStore;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Measures a worker's calls that end tasks, of which one is under way at a time. */
final class EndingCalls implements ClientInterceptor {
  private static final long PATIENCE_SECONDS = 120;

  private final CountingStore store;
  private final BlockingQueue<Ending> endings = new LinkedBlockingQueue<>();

  EndingCalls(CountingStore store) {
    this.store = store;
  }

  /**
   * An ending.
   *
   * @param millis the time of the call
   * @param cost what was done to the store meanwhile
   * @param status the result of the call
   */
  record Ending(double millis, Cost cost, Status status) {}

  /** Waits for the next ending, which must have succeeded. */
  Ending next() throws InterruptedException {
    Ending ending = endings.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (ending == null || !ending.status().isOk()) {
      throw new IllegalStateException("a task did not end: " + ending);
    }
    return ending;
  }

  @Override
  public <T, R> ClientCall<T, R> interceptCall(
      MethodDescriptor<T, R> method, CallOptions options, Channel channel) {
    ClientCall<T, R> call = channel.newCall(method, options);
    return method
            .getFullMethodName()
            .equals(WorkerServiceGrpc.getCompleteTaskMethod().getFullMethodName())
        ? new Measured<>(call)
        : call;
  }

  private final class Measured<T, R> extends SimpleForwardingClientCall<T, R> {
    Measured(ClientCall<T, R> call) {
      super(call);
    }

    @Override
    public void start(Listener<R> listener, Metadata headers) {
      Cost before = store.cost();
      long began = System.nanoTime();
      super.start(
          new SimpleForwardingClientCallListener<R>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              double millis = (System.nanoTime() - began) / 1e6;
              endings.add(new Ending(millis, store.cost().since(before), status));
              super.onClose(status, trailers);
            }
          },
          headers);
    }
  }
}
