package dev.bridle.core.work.dispatch;

import dev.bridle.worker.v1.CancelNotice;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.LeaseTasksRequest;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.MessageNotice;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker's end of the lease stream, driven by hand. */
public final class TestWorker implements StreamObserver<LeaseTasksResponse>, AutoCloseable {
  private final BlockingQueue<TaskLease> leases = new LinkedBlockingQueue<>();
  private final BlockingQueue<CancelNotice> cancels = new LinkedBlockingQueue<>();
  private final BlockingQueue<MessageNotice> messages = new LinkedBlockingQueue<>();
  private final StreamObserver<LeaseTasksRequest> requests;
  private volatile Optional<Throwable> failure = Optional.empty();

  public TestWorker(Channel channel, String agentId, String workerId) {
    this(channel, LeaseHello.newBuilder().setAgentId(agentId).setWorkerId(workerId));
  }

  public TestWorker(Channel channel, LeaseHello.Builder hello) {
    this.requests = WorkerServiceGrpc.newStub(channel).leaseTasks(this);
    requests.onNext(LeaseTasksRequest.newBuilder().setHello(hello).build());
  }

  public void want(int count) {
    requests.onNext(LeaseTasksRequest.newBuilder().setWant(count).build());
  }

  /** Returns the next lease; fails where none comes in ten seconds. */
  public TaskLease lease() {
    return next(Duration.ofSeconds(10)).orElseThrow(() -> new AssertionError("no lease came"));
  }

  public Optional<TaskLease> next(Duration patience) {
    return poll(leases, patience);
  }

  public Optional<CancelNotice> cancel(Duration patience) {
    return poll(cancels, patience);
  }

  public Optional<MessageNotice> message(Duration patience) {
    return poll(messages, patience);
  }

  /** Returns what ended the stream, if it failed. */
  public Optional<Throwable> failure() {
    return failure;
  }

  private static <T> Optional<T> poll(BlockingQueue<T> queue, Duration patience) {
    try {
      return Optional.ofNullable(queue.poll(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void onNext(LeaseTasksResponse response) {
    if (response.hasLease()) {
      leases.add(response.getLease());
    } else if (response.hasCancel()) {
      cancels.add(response.getCancel());
    } else {
      messages.add(response.getMessage());
    }
  }

  @Override
  public void onError(Throwable thrown) {
    failure = Optional.of(thrown);
  }

  @Override
  public void onCompleted() {}

  @Override
  public void close() {
    requests.onCompleted();
  }
}
