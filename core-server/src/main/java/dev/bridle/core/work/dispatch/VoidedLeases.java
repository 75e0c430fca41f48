package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.work.replay.ReplayOptions;
import dev.bridle.core.work.replay.ReplayWait;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;

/**
 * Revokes every lease of storage that was restored from a backup, since their holders work on later
 * state. Tasks are requeued, and no attempt is counted.
 */
public final class VoidedLeases {
  private static final Failure RESTORED =
      Failure.newBuilder()
          .setCode("restored")
          .setMessage("The server was restored from a backup while a worker held the task.")
          .build();

  private final KeyValueStore store;
  private final EventLog log;
  private final Commands commands;
  private final TasksWithLease leased;
  private final LostAttempts lost;

  public VoidedLeases(
      KeyValueStore store,
      EventLog log,
      Commands commands,
      TaskStores stores,
      TaskEndings endings) {
    this.store = store;
    this.log = log;
    this.commands = commands;
    this.leased = new TasksWithLease(store, stores);
    this.lost =
        new LostAttempts(endings, TaskOptions.DEFAULT, new ReplayWait(ReplayOptions.DEFAULT));
  }

  /** Revokes all leases. Returns how many there were. */
  public int voidAll() {
    return leased.change(
        (tenant, write) -> !deleted(tenant) && commands.once(tenant, Sweeper.ACTOR, write),
        VoidedLeases::isLeased,
        this::revoke);
  }

  /** A deleted tenant's log is closed, and its remaining rows are deleted anyway. */
  private boolean deleted(String tenant) {
    return store.read(tr -> log.isClosed(tr, tenant));
  }

  private static boolean isLeased(TaskRecord record) {
    LeaseState state = record.getLease().getState();
    return state == LeaseState.LEASE_STATE_HELD || state == LeaseState.LEASE_STATE_PARKED;
  }

  private void revoke(TaskChange change) {
    change.freeLease();
    if (change.record().getCancelRequestedAt() != 0) {
      lost.canceled(change);
    } else if (change.status() == TaskStatus.TASK_STATUS_WORKING) {
      lost.voided(change, RESTORED);
    }
  }
}
