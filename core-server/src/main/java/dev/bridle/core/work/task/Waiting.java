package dev.bridle.core.work.task;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import dev.bridle.record.v1.Lease;
import dev.bridle.worker.v1.LeaseState;

/** What becomes of a task's lease while it waits for people, and how it goes on afterwards. */
public final class Waiting {
  private final TaskOptions options;

  public Waiting(TaskOptions options) {
    this.options = options;
  }

  /**
   * Frees the lease of a task that begins to wait, or parks it while the worker keeps the process.
   *
   * @param asked how long the worker would keep it
   */
  public void begin(TaskChange change, Duration asked) {
    long hold = Math.min(Durations.toMillis(asked), options.maxHold().toMillis());
    if (hold > 0) {
      change.parkLease(change.write().nowMillis() + hold);
    } else {
      change.freeLease();
    }
  }

  /** Queues the task again: first for the worker that kept its process, for a while. */
  public void end(TaskChange change) {
    Lease lease = change.record().getLease();
    boolean parked = lease.getState() == LeaseState.LEASE_STATE_PARKED;
    String worker = parked ? lease.getWorkerId() : "";
    change.freeLease();
    change.enqueue(
        worker, parked ? change.write().nowMillis() + options.affinityTime().toMillis() : 0);
  }
}
