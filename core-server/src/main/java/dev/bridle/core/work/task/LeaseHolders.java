package dev.bridle.core.work.task;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;

/**
 * Tells whether an actor holds a task's lease. A lease belongs to the actor that it was granted to,
 * and its fencing token is sent to that worker only and can't be guessed.
 */
public final class LeaseHolders {
  private LeaseHolders() {}

  /** Returns whether a lease is the task's newest one; it may have been freed since. */
  public static boolean isNewest(TaskRecord record, String actor, long fence) {
    Lease lease = record.getLease();
    return fence > 0 && lease.getFence() == fence && lease.getActor().equals(actor);
  }

  /** Returns whether an actor holds the lease, or keeps it while the task waits. */
  public static boolean isHeldOrParked(TaskRecord record, String actor, long fence) {
    LeaseState state = record.getLease().getState();
    return isNewest(record, actor, fence)
        && (state == LeaseState.LEASE_STATE_HELD || state == LeaseState.LEASE_STATE_PARKED);
  }

  /**
   * Returns the failure of a worker that does not hold the lease, {@code resource_locked}. Reveals
   * nothing about the current lease: the caller may be anybody with the scope.
   */
  public static ProtocolException lost(TaskStatus status, long fence) {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
            "The lease is no longer held; stop, and report nothing more about this task.")
        .with("fence", fence)
        .with("status", TaskLifecycle.spell(status));
  }
}
