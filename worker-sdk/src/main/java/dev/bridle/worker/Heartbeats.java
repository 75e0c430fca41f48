package dev.bridle.worker;

import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeartbeatResponse;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.LeaseStatus;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import dev.bridle.worker.v1.WorkerServiceGrpc.WorkerServiceStub;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews all leases of a worker with one timer and one call. Stops the handler of each lost lease:
 * one that the core reports as lost, or that expired because no heartbeat succeeded.
 */
final class Heartbeats {
  private static final Logger log = LoggerFactory.getLogger(Heartbeats.class);
  private static final int BATCH = 1000;
  private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SHORTEST_DEADLINE = TimeUnit.SECONDS.toNanos(1);

  private final WorkerServiceStub core;
  private final RunningTasks desk;
  private final ScheduledExecutorService timer;
  private volatile long interval = Long.MAX_VALUE;
  private ScheduledFuture<?> next;

  Heartbeats(Channel channel, RunningTasks desk, ScheduledExecutorService timer) {
    this.core = WorkerServiceGrpc.newStub(channel);
    this.desk = desk;
    this.timer = timer;
  }

  /**
   * Starts the timer with the first lease, and uses the shortest heartbeat interval of all leases.
   */
  void leased(TaskLease lease) {
    long asked = Math.max(SHORTEST_PAUSE, LeaseTimes.nanos(lease.getHeartbeatInterval()));
    if (asked < interval) {
      synchronized (this) {
        interval = Math.min(interval, asked);
        schedule(interval);
      }
    }
  }

  private synchronized void schedule(long nanos) {
    if (next != null) {
      next.cancel(false);
    }
    if (!timer.isShutdown()) {
      next = timer.schedule(this::beat, nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void beat() {
    long pause = interval;
    try {
      pause = Math.min(pause, keepAll(System.nanoTime()));
    } finally {
      schedule(Math.max(SHORTEST_PAUSE, pause));
    }
  }

  /**
   * Sends due heartbeats and returns the time at which the first lease expires unless it is
   * renewed.
   */
  private long keepAll(long now) {
    long firstEnd = Long.MAX_VALUE;
    List<Beat> beats = new ArrayList<>();
    for (TaskRun run : desk.alive()) {
      LeaseHold hold = run.hold();
      Optional<HeldLease> lease = hold.lease();
      if (lease.isEmpty()) {
        continue;
      }
      long left = hold.deadline() - now;
      if (left > 0) {
        firstEnd = Math.min(firstEnd, left);
        beats.add(new Beat(run, lease.get()));
      } else if (hold.stop(Stop.LOST)) {
        log.warn("Task {}: its lease expired because no heartbeat succeeded", hold.taskId());
      }
    }
    for (int from = 0; from < beats.size(); from += BATCH) {
      send(beats.subList(from, Math.min(beats.size(), from + BATCH)), now);
    }
    return firstEnd;
  }

  private void send(List<Beat> beats, long sentAt) {
    HeartbeatRequest.Builder request = HeartbeatRequest.newBuilder();
    beats.forEach(beat -> request.addLeases(beat.lease()));
    core.withDeadlineAfter(Math.max(interval, SHORTEST_DEADLINE), TimeUnit.NANOSECONDS)
        .heartbeat(
            request.build(),
            new StreamObserver<>() {
              @Override
              public void onNext(HeartbeatResponse response) {
                for (int i = 0; i < Math.min(beats.size(), response.getStatusesCount()); i++) {
                  beats.get(i).answered(response.getStatuses(i), sentAt);
                }
              }

              @Override
              public void onError(Throwable failure) {
                log.warn(
                    "A heartbeat for {} tasks failed: {}",
                    beats.size(),
                    Status.fromThrowable(failure).getCode());
              }

              @Override
              public void onCompleted() {}
            });
  }

  private record Beat(TaskRun run, HeldLease lease) {
    void answered(LeaseStatus status, long sentAt) {
      LeaseHold hold = run.hold();
      if (status.getState() == LeaseState.LEASE_STATE_FREE) {
        if (hold.freed(lease.getFence())) {
          log.warn("Task {}: its lease was lost", hold.taskId());
        }
        return;
      }
      hold.confirm(lease.getFence(), sentAt);
      if (status.getCancelRequested() && hold.cancel(lease.getFence())) {
        log.info("Task {}: its cancellation was requested", hold.taskId());
      }
      if (status.getMessagesWaiting()) {
        run.inbox().notice(lease.getFence());
      }
    }
  }
}
