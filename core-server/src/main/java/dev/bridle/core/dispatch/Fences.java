package dev.bridle.core.dispatch;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.task.TaskLifecycle;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.worker.v1.LeaseState;

/** Tells whether a worker still holds the lease that it speaks under. */
final class Fences {
  private Fences() {}

  /**
   * Refuses a worker whose lease is not the one held, with {@code resource_locked}: it must stop.
   */
  static void needHeld(TaskRecord record, long fence) {
    if (!held(record, fence)) {
      throw lost(record, fence);
    }
  }

  static boolean held(TaskRecord record, long fence) {
    Lease lease = record.getLease();
    return lease.getFence() == fence && lease.getState() == LeaseState.LEASE_STATE_HELD;
  }

  static boolean heldOrParked(TaskRecord record, long fence) {
    Lease lease = record.getLease();
    return lease.getFence() == fence
        && (lease.getState() == LeaseState.LEASE_STATE_HELD
            || lease.getState() == LeaseState.LEASE_STATE_PARKED);
  }

  /**
   * Returns whether the holder of this very lease has told how its attempt ended, so that it tells
   * so a second time: the answer to the first time was lost. The task itself may have ended or not.
   */
  static boolean endedBy(TaskRecord record, long fence) {
    return fence != 0 && record.getEndedByFence() == fence && !held(record, fence);
  }

  private static ProtocolException lost(TaskRecord record, long fence) {
    return ProtocolException.of(
            ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
            "The lease is not held any more; stop, and tell nothing more of this task.")
        .with("fence", fence)
        .with("current_fence", record.getLease().getFence())
        .with("status", TaskLifecycle.spell(record.getTask().getStatus()));
  }
}
