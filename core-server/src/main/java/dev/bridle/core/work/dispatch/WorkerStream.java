package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.worker.v1.CancelNotice;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.MessageNotice;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.stub.StreamObserver;

/** The lease stream of one worker, with the number of tasks that it wants. Thread-safe. */
final class WorkerStream {
  /** An upper bound of the tasks that a worker runs at once. */
  private static final int MAX_WANT = 10_000;

  private final LeaseGrants.Taker taker;
  private final StreamObserver<LeaseTasksResponse> observer;
  // Submissions reserve tasks under the lock of all streams: they must not wait for what is sent.
  private final Object sending = new Object();
  private int want;
  private volatile boolean closed;

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

  /** Returns how many tasks the worker still wants; 0 once the stream is closed. */
  synchronized int want() {
    return closed ? 0 : want;
  }

  /** Reserves up to {@code most} of the tasks that the worker wants, and returns how many. */
  synchronized int reserve(int most) {
    int reserved = Math.min(most, want());
    want -= reserved;
    return reserved;
  }

  /** Gives up reserved tasks: the worker goes on waiting for them. */
  synchronized void release(int reserved) {
    want += reserved;
  }

  /** Sends a lease that was reserved to the worker. Returns whether the stream was still open. */
  boolean sendLease(TaskLease lease) {
    return send(LeaseTasksResponse.newBuilder().setLease(lease).build());
  }

  void cancel(String task, long fence) {
    var unused =
        send(
            LeaseTasksResponse.newBuilder()
                .setCancel(CancelNotice.newBuilder().setTaskId(task).setFence(fence))
                .build());
  }

  void message(String task, long fence) {
    var unused =
        send(
            LeaseTasksResponse.newBuilder()
                .setMessage(MessageNotice.newBuilder().setTaskId(task).setFence(fence))
                .build());
  }

  /** Completes the stream; its worker reconnects. */
  void close() {
    synchronized (sending) {
      if (!closed) {
        closed = true;
        observer.onCompleted();
      }
    }
  }

  /** Fails the stream with an error. */
  void fail(ProtocolException why) {
    synchronized (sending) {
      if (!closed) {
        closed = true;
        observer.onError(ErrorMapper.status(ErrorMapper.detail(why, "stream")));
      }
    }
  }

  /** Marks the stream as closed by the worker. */
  void markClosed() {
    synchronized (sending) {
      closed = true;
    }
  }

  private boolean send(LeaseTasksResponse response) {
    synchronized (sending) {
      if (!closed) {
        observer.onNext(response);
      }
      return !closed;
    }
  }
}
