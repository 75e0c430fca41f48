package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.worker.v1.LeaseState;

/**
 * The leases of processes that host an agent in a folder of the machine. Such a process is known to
 * be gone before its leases expire.
 */
public final class HostLeases {
  private static final Failure GONE =
      Failure.newBuilder()
          .setCode("host_ended")
          .setMessage("The process that hosted the agent ended while it ran the task.")
          .build();

  private final Commands commands;
  private final TasksWithLease leased;
  private final LostAttempts lost;

  HostLeases(KeyValueStore store, Commands commands, TaskStores stores, LostAttempts lost) {
    this.commands = commands;
    this.leased = new TasksWithLease(store, stores);
    this.lost = lost;
  }

  /**
   * Revokes the leases that an actor has on tasks of a workspace, whose processes are gone. The
   * tasks are requeued at once; open questions stay open.
   */
  public void takeBack(String tenant, String workspace, String actor) {
    var unused =
        leased.change(
            (owner, write) ->
                owner.equals(tenant)
                    && commands.fenced(FencedWrite.TAKE_BACK_OF_HOST, owner, Sweeper.ACTOR, write),
            record -> isOf(record, workspace, actor),
            change -> lost.interrupted(change, GONE));
  }

  private static boolean isOf(TaskRecord record, String workspace, String actor) {
    Lease lease = record.getLease();
    return record.getTask().getWorkspaceId().equals(workspace)
        && lease.getActor().equals(actor)
        && !lease.getInProcess()
        && (lease.getState() == LeaseState.LEASE_STATE_HELD
            || lease.getState() == LeaseState.LEASE_STATE_PARKED);
  }
}
