package dev.bridle.core.work.task;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import dev.bridle.record.v1.Lease;
import dev.bridle.worker.v1.LeaseState;

/** Frees or parks a task's lease while it waits for people, and requeues the task afterwards. */
public final class WaitingLease {
  private final TaskOptions options;

  public WaitingLease(TaskOptions options) {
    this.options = options;
  }

  /**
   * Frees the lease of a task that begins to wait, or parks it if the worker keeps the process.
   *
   * @param asked how long the worker wants to keep the process
   */
  public void begin(TaskChange change, Duration asked) {
    long hold = Math.min(Durations.toMillis(asked), options.maxHold().toMillis());
    if (hold > 0) {
      change.parkLease(change.write().nowMillis() + hold);
    } else {
      change.freeLease();
    }
  }

  /** Requeues the task, for a while only for the worker that kept its process. */
  public void end(TaskChange change) {
    Lease lease = change.record().getLease();
    boolean parked = lease.getState() == LeaseState.LEASE_STATE_PARKED;
    String worker = parked ? lease.getWorkerId() : "";
    change.freeLease();
    change.enqueue(
        worker, parked ? change.write().nowMillis() + options.affinityTime().toMillis() : 0);
  }
}
