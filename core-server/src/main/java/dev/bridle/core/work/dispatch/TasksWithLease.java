package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Finds the tasks with a lease, of all tenants: each has a due entry. */
final class TasksWithLease {
  private static final int BATCH = 500;

  private final KeyValueStore store;
  private final TaskStores stores;

  TasksWithLease(KeyValueStore store, TaskStores stores) {
    this.store = store;
    this.stores = stores;
  }

  /** Runs a write of a tenant, and returns its result. */
  interface Writes {
    boolean run(String tenant, Function<Write, Boolean> write);
  }

  /**
   * Changes tasks, each in a write of its own. Returns how many were changed.
   *
   * @param which the tasks to change
   */
  int change(Writes writes, Predicate<TaskRecord> which, Consumer<TaskChange> work) {
    int changed = 0;
    for (int shard = 0; shard < DueIndex.SHARDS; shard++) {
      List<DueEntry> last = List.of();
      List<DueEntry> page = page(shard, last);
      while (!page.isEmpty()) {
        for (DueEntry entry : page) {
          boolean ofTask = TaskStore.TASK.dueKinds().contains(entry.kind());
          boolean done =
              ofTask && writes.run(entry.tenant(), write -> change(write, entry, which, work));
          changed += done ? 1 : 0;
        }
        last = page.subList(page.size() - 1, page.size());
        page = page(shard, last);
      }
    }
    return changed;
  }

  private List<DueEntry> page(int shard, List<DueEntry> last) {
    return store.read(tr -> stores.due().scan(tr, shard, last, BATCH));
  }

  private boolean change(
      Write write, DueEntry entry, Predicate<TaskRecord> which, Consumer<TaskChange> work) {
    Optional<TaskRecord> before =
        stores.tasks().find(write.tr(), entry.tenant(), entry.id()).filter(which);
    before.ifPresent(
        record -> {
          TaskChange change = stores.change(write, record);
          work.accept(change);
          change.save();
        });
    return before.isPresent();
  }
}
