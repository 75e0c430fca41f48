package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.worker.v1.LeaseState;
import java.util.List;
import java.util.Optional;

/**
 * Revokes leases at the start of a server that uses its storage exclusively: embedded workers of
 * the previous process are gone, and leases that were stored without an actor can't be verified.
 * Their tasks are requeued at once, instead of after a lease time.
 */
final class StartupRecovery {
  private static final int BATCH = 500;
  private static final String ACTOR = "bridle";

  private final KeyValueStore store;
  private final Commands commands;
  private final TaskStores stores;
  private final LostAttempts lost;

  StartupRecovery(KeyValueStore store, Commands commands, TaskStores stores, LostAttempts lost) {
    this.store = store;
    this.commands = commands;
    this.stores = stores;
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
    int taken = 0;
    for (int shard = 0; shard < DueIndex.SHARDS; shard++) {
      List<DueEntry> last = List.of();
      List<DueEntry> page = page(shard, last);
      while (!page.isEmpty()) {
        for (DueEntry entry : page) {
          taken += entry.kind() != DueKind.IDEMPOTENCY && revoke(entry) ? 1 : 0;
        }
        last = page.subList(page.size() - 1, page.size());
        page = page(shard, last);
      }
    }
    return taken;
  }

  private List<DueEntry> page(int shard, List<DueEntry> last) {
    return store.read(tr -> stores.due().scan(tr, shard, last, BATCH));
  }

  private boolean revoke(DueEntry entry) {
    if (entry.kind() == DueKind.UPLOAD) {
      return false;
    }
    return commands.fenced(
        FencedWrite.TAKE_BACK_AT_START,
        entry.tenant(),
        ACTOR,
        write -> {
          Optional<TaskRecord> before =
              stores
                  .tasks()
                  .find(write.tr(), entry.tenant(), entry.id())
                  .filter(record -> record.getLease().getInProcess() || hasNoActor(record));
          if (before.isEmpty()) {
            return false;
          }
          TaskChange change = stores.change(write, before.get());
          lost.restarted(change);
          change.save();
          return true;
        });
  }
}
