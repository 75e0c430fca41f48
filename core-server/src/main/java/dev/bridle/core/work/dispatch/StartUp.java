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
 * What a server knows that starts on storage of its own: the workers that lived in the process
 * before it are gone, and nobody can prove to hold a lease that was stored without its actor. Their
 * tasks are queued again at once, instead of after a lease time.
 */
final class StartUp {
  private static final int BATCH = 500;
  private static final String ACTOR = "bridle";

  private final KeyValueStore store;
  private final Commands commands;
  private final TaskStores stores;
  private final LostAttempts lost;

  StartUp(KeyValueStore store, Commands commands, TaskStores stores, LostAttempts lost) {
    this.store = store;
    this.commands = commands;
    this.stores = stores;
    this.lost = lost;
  }

  /**
   * Leases of an earlier release: whoever holds one gets {@code resource_locked} with its next
   * call.
   */
  private static boolean unprovable(TaskRecord record) {
    Lease lease = record.getLease();
    return lease.getActor().isEmpty()
        && (lease.getState() == LeaseState.LEASE_STATE_HELD
            || lease.getState() == LeaseState.LEASE_STATE_PARKED);
  }

  /**
   * Takes back the leases of workers that ran in the process before, and those that nobody can
   * prove to hold. Returns how many there were.
   */
  int requeueOwn() {
    int taken = 0;
    for (int shard = 0; shard < DueIndex.SHARDS; shard++) {
      List<DueEntry> last = List.of();
      List<DueEntry> page = page(shard, last);
      while (!page.isEmpty()) {
        for (DueEntry entry : page) {
          taken += entry.kind() != DueKind.IDEMPOTENCY && takeBack(entry) ? 1 : 0;
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

  private boolean takeBack(DueEntry entry) {
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
                  .filter(record -> record.getLease().getInProcess() || unprovable(record));
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
