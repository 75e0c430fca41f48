package dev.bridle.worker;

import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.LeaseTasksRequest;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import dev.bridle.worker.v1.WorkerServiceGrpc.WorkerServiceStub;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Receives leases over a stream. Requests as many tasks as there are free slots, and reconnects
 * when the stream breaks.
 *
 * <p>Batches requests: sends none while more than half of the free slots are requested, so that
 * many short tasks need few messages.
 */
final class LeaseStream {
  private static final Logger log = LoggerFactory.getLogger(LeaseStream.class);
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closed = lock.newCondition();
  private final WorkerServiceStub core;
  private final LeaseHello hello;
  private final Registration registration;
  private final ScheduledExecutorService timer;
  private final Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  private Consumer<LeaseTasksResponse> receiver = response -> {};
  private Stream stream;
  private LeaseRequests out;
  private boolean closing;
  private int free;
  private int asked;

  LeaseStream(
      Channel channel,
      LeaseHello hello,
      Registration registration,
      int slots,
      ScheduledExecutorService timer) {
    this.core = WorkerServiceGrpc.newStub(channel);
    this.hello = hello;
    this.registration = registration;
    this.free = slots;
    this.timer = timer;
  }

  /** Starts to receive leases, and passes each to the receiver on a thread of the channel. */
  void start(Consumer<LeaseTasksResponse> newReceiver) {
    receiver = newReceiver;
    open();
  }

  private void open() {
    Stream opened = new Stream();
    lock.lock();
    try {
      if (closing) {
        return;
      }
      stream = opened;
    } finally {
      lock.unlock();
    }
    StreamObserver<LeaseTasksRequest> opening = core.leaseTasks(opened);
    change(
        () -> {
          if (stream == opened) {
            out = new LeaseRequests(opening);
            out.add(LeaseTasksRequest.newBuilder().setHello(hello).build());
            asked = 0;
          }
        });
  }

  /** Records a free slot. */
  void slotFreed() {
    change(() -> free++);
  }

  private void slotTaken() {
    change(
        () -> {
          free--;
          asked = Math.max(0, asked - 1);
          backoff.reset();
        });
  }

  /** Requests no more tasks. Leases in flight still arrive until the core has ended the stream. */
  void stopAsking() {
    change(() -> closing = true);
  }

  /** Makes a change under the lock, then sends the resulting messages without the lock. */
  private void change(Runnable change) {
    LeaseRequests requests;
    lock.lock();
    try {
      change.run();
      requests = out;
      if (requests == null) {
        return;
      }
      if (closing) {
        requests.addEnd();
        out = null;
      } else if (free > asked && asked * 2 <= free) {
        requests.add(LeaseTasksRequest.newBuilder().setWant(free - asked).build());
        asked = free;
      }
    } finally {
      lock.unlock();
    }
    requests.send();
  }

  private void broken(Stream which, Status why) {
    lock.lock();
    try {
      if (stream != which) {
        return;
      }
      stream = null;
      out = null;
      closed.signalAll();
      if (which.age() > LONGEST_PAUSE) {
        backoff.reset();
      }
      reconnect(why);
    } finally {
      lock.unlock();
    }
  }

  private void reconnect(Status why) {
    lock.lock();
    try {
      if (closing) {
        return;
      }
      long pause = backoff.nextNanos();
      log.atLevel(expected(why) ? Level.INFO : Level.WARN)
          .log(
              "The lease stream ended ({}); reconnecting in {} ms",
              said(why),
              TimeUnit.NANOSECONDS.toMillis(pause));
      ScheduledFuture<?> unused =
          timer.schedule(
              () -> registration.renew(this::open, this::reconnect), pause, TimeUnit.NANOSECONDS);
    } finally {
      lock.unlock();
    }
  }

  private static boolean expected(Status why) {
    return why.isOk() || why.getCode() == Status.Code.UNAVAILABLE;
  }

  private static String said(Status why) {
    return why.getDescription() == null
        ? why.getCode().toString()
        : why.getCode() + ": " + why.getDescription();
  }

  /** Waits until the core has ended the stream; cancels it on a timeout. */
  void awaitEnd(Duration time) throws InterruptedException {
    Stream late;
    lock.lock();
    try {
      long left = time.toNanos();
      while (stream != null && left > 0) {
        left = closed.awaitNanos(left);
      }
      late = stream;
    } finally {
      lock.unlock();
    }
    if (late != null) {
      late.cut();
    }
  }

  private final class Stream
      implements ClientResponseObserver<LeaseTasksRequest, LeaseTasksResponse> {
    private final long openedAt = System.nanoTime();
    private ClientCallStreamObserver<LeaseTasksRequest> call;

    @Override
    public void beforeStart(ClientCallStreamObserver<LeaseTasksRequest> requests) {
      call = requests;
    }

    long age() {
      return System.nanoTime() - openedAt;
    }

    void cut() {
      call.cancel("the worker is closing", null);
    }

    @Override
    public void onNext(LeaseTasksResponse response) {
      if (response.hasLease()) {
        slotTaken();
      }
      receiver.accept(response);
    }

    @Override
    public void onError(Throwable failure) {
      broken(this, Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
      broken(this, Status.OK.withDescription("ended by the core"));
    }
  }
}
