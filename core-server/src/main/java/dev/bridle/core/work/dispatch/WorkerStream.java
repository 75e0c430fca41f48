package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.worker.v1.CancelNotice;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.MessageNotice;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.stub.ServerCallStreamObserver;

/** The lease stream of one worker, with the number of tasks that it wants. Thread-safe. */
final class WorkerStream {
  /** A worker that has not read so many bytes gets no further lease until it has. */
  private static final int MOST_UNREAD = 1 << 20;

  /** Where it has not read so many, it is not even sent the leases that it was granted together. */
  private static final int MOST_SENT = 4 << 20;

  /** An upper bound of the tasks that a worker runs at once. */
  private static final int MAX_WANT = 10_000;

  private final LeaseGrants.Taker taker;
  private final ServerCallStreamObserver<LeaseTasksResponse> observer;
  // Submissions reserve tasks under the lock of all streams: they must not wait for what is sent.
  private final Object sending = new Object();
  private int want;
  private volatile boolean closed;

  /** The bytes that were sent since the worker had read all, as far as is known. */
  private volatile long unread;

  /** About how large the largest of its last leases were; before the first one, a guess. */
  private volatile long leaseBytes = 64 << 10;

  WorkerStream(LeaseGrants.Taker taker, ServerCallStreamObserver<LeaseTasksResponse> observer) {
    this.taker = taker;
    this.observer = observer;
  }

  LeaseGrants.Taker taker() {
    return taker;
  }

  synchronized void want(int more) {
    want = Math.min(MAX_WANT, want + more);
  }

  /**
   * Returns how many tasks the worker still wants; 0 once the stream is closed, and while the
   * worker does not read what it was sent.
   */
  synchronized int want() {
    return closed || unread > MOST_UNREAD ? 0 : want;
  }

  /** The worker has read what it was sent; returns whether it got no leases because of that. */
  boolean ready() {
    synchronized (sending) {
      boolean hasWaited = unread > MOST_UNREAD;
      unread = 0;
      return hasWaited;
    }
  }

  /** Reserves up to {@code most} of the tasks that the worker wants, and returns how many. */
  synchronized int reserve(int most) {
    int fitting = (int) Math.max(1, MOST_UNREAD / leaseBytes);
    int reserved = Math.min(Math.min(most, fitting), want());
    want -= reserved;
    return reserved;
  }

  /** Gives up reserved tasks: the worker goes on waiting for them. */
  synchronized void release(int reserved) {
    want += reserved;
  }

  /**
   * Sends a lease that was reserved to the worker. Returns whether the stream was still open, and
   * the worker had read enough of what it was sent before.
   */
  boolean sendLease(TaskLease lease) {
    leaseBytes = Math.max(lease.getSerializedSize(), leaseBytes - leaseBytes / 8);
    return unread <= MOST_SENT && send(LeaseTasksResponse.newBuilder().setLease(lease).build());
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
        unread = (observer.isReady() ? 0 : unread) + response.getSerializedSize();
        observer.onNext(response);
        unread = observer.isReady() ? 0 : unread;
      }
      return !closed;
    }
  }
}
