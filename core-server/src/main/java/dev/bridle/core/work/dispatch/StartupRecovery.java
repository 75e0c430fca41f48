package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.worker.v1.LeaseState;

/**
 * Revokes leases at the start of a server that uses its storage exclusively: embedded workers of
 * the previous process are gone, and leases that were stored without an actor can't be verified.
 * Their tasks are requeued at once, instead of after a lease time.
 */
final class StartupRecovery {
  private final Commands commands;
  private final TasksWithLease leased;
  private final LostAttempts lost;

  StartupRecovery(KeyValueStore store, Commands commands, TaskStores stores, LostAttempts lost) {
    this.commands = commands;
    this.leased = new TasksWithLease(store, stores);
    this.lost = lost;
  }

  /**
   * Returns whether a lease is of an earlier release; its holder gets {@code resource_locked} for
   * its next call.
   */
  private static boolean hasNoActor(TaskRecord record) {
    Lease lease = record.getLease();
    return lease.getActor().isEmpty()
        && (lease.getState() == LeaseState.LEASE_STATE_HELD
            || lease.getState() == LeaseState.LEASE_STATE_PARKED);
  }

  /**
   * Revokes the leases of embedded workers of the previous process, and those without an actor.
   * Returns how many there were.
   */
  int requeueOwn() {
    return leased.change(
        (tenant, write) ->
            commands.fenced(FencedWrite.TAKE_BACK_AT_START, tenant, Sweeper.ACTOR, write),
        record -> record.getLease().getInProcess() || hasNoActor(record),
        lost::restarted);
  }
}
