package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.worker.v1.CancelNotice;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.stub.StreamObserver;

/** One worker that takes tasks: what it wants, and the way to it. Safe for many threads. */
final class WorkerStream {
  /** More than any worker runs at once. */
  private static final int MAX_WANT = 10_000;

  private final LeaseGrants.Taker taker;
  private final StreamObserver<LeaseTasksResponse> observer;
  private int want;
  private boolean closed;

  WorkerStream(LeaseGrants.Taker taker, StreamObserver<LeaseTasksResponse> observer) {
    this.taker = taker;
    this.observer = observer;
  }

  LeaseGrants.Taker taker() {
    return taker;
  }

  synchronized void want(int more) {
    want = Math.min(MAX_WANT, want + more);
  }

  /** Returns how many tasks the worker still wants, 0 once it is gone. */
  synchronized int want() {
    return closed ? 0 : want;
  }

  /** Hands a lease to the worker. Returns whether it was still there to take it. */
  synchronized boolean give(TaskLease lease) {
    want--;
    return send(LeaseTasksResponse.newBuilder().setLease(lease).build());
  }

  synchronized void cancel(String task, long fence) {
    var unused =
        send(
            LeaseTasksResponse.newBuilder()
                .setCancel(CancelNotice.newBuilder().setTaskId(task).setFence(fence))
                .build());
  }

  /** Ends the stream from this side; its worker comes back. */
  synchronized void close() {
    if (!closed) {
      closed = true;
      observer.onCompleted();
    }
  }

  /** Ends the stream with an error. */
  synchronized void refuse(ProtocolException why) {
    if (!closed) {
      closed = true;
      observer.onError(ErrorMapper.status(ErrorMapper.detail(why, "stream")));
    }
  }

  /** The worker went away. */
  synchronized void gone() {
    closed = true;
  }

  private boolean send(LeaseTasksResponse response) {
    if (!closed) {
      observer.onNext(response);
    }
    return !closed;
  }
}
