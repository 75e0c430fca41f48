package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.task.LeaseHolders;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;
import java.nio.ByteBuffer;

/**
 * Checks that a caller holds the lease that it names. A lease belongs to the actor that it was
 * granted to, and to the worker stream that received it: its fencing token is sent only in that
 * stream and can't be guessed.
 */
final class Fences {
  /**
   * The maximum increment between fencing tokens. Large enough that trying all would take years,
   * and small enough for 200,000 leases of one task.
   */
  private static final long SPREAD = 1L << 45;

  private Fences() {}

  /**
   * Returns the fencing token of a task's next lease: greater than the previous one by a random
   * amount.
   *
   * @param before the token of the previous lease; 0: none
   * @param random 8 random bytes
   */
  static long next(long before, byte[] random) {
    long known = Math.max(0, before);
    long room = Math.min(SPREAD, (Long.MAX_VALUE - known) / 2);
    return known + 1 + Long.remainderUnsigned(ByteBuffer.wrap(random).getLong(), Math.max(1, room));
  }

  /** Rejects a worker that does not hold the lease, with {@code resource_locked}: it must stop. */
  static void needHeld(TaskRecord record, Caller caller, long fence) {
    if (!held(record, caller.actor(), fence)) {
      throw LeaseHolders.lost(record.getTask().getStatus(), fence);
    }
  }

  /**
   * Rejects a worker whose lease is not the task's newest one, with {@code resource_locked}. The
   * lease may have been freed since, as it is while a task waits.
   */
  static void needNewest(TaskRecord record, Caller caller, long fence) {
    if (!LeaseHolders.isNewest(record, caller.actor(), fence)) {
      throw LeaseHolders.lost(record.getTask().getStatus(), fence);
    }
  }

  static boolean held(TaskRecord record, String actor, long fence) {
    return LeaseHolders.isNewest(record, actor, fence)
        && record.getLease().getState() == LeaseState.LEASE_STATE_HELD;
  }

  /**
   * Rejects a worker whose process does not work on the task under this lease, with {@code
   * resource_locked}.
   */
  static void needWorking(TaskRecord record, Caller caller, long fence) {
    if (!working(record, caller.actor(), fence)) {
      throw LeaseHolders.lost(record.getTask().getStatus(), fence);
    }
  }

  /** Returns whether the lease is held, or parked by a worker whose processes work on. */
  static boolean working(TaskRecord record, String actor, long fence) {
    return held(record, actor, fence)
        || (heldOrParked(record, actor, fence) && record.getLease().getWorksWhileParked());
  }

  static boolean heldOrParked(TaskRecord record, String actor, long fence) {
    return LeaseHolders.isHeldOrParked(record, actor, fence);
  }

  /**
   * Returns whether the holder of this lease has already reported the end of its attempt, so that
   * this report is a retry whose first response was lost. The task itself may have ended or not.
   */
  static boolean endedBy(TaskRecord record, Caller caller, long fence) {
    return fence != 0
        && record.getEndedByFence() == fence
        && record.getEndedByActor().equals(caller.actor())
        && !held(record, caller.actor(), fence);
  }

  /** Returns the failure of a call whose own reports ended the task, before the call's work. */
  static ProtocolException ended(long fence) {
    return LeaseHolders.lost(TaskStatus.TASK_STATUS_FAILED, fence);
  }
}
