package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.DueEntry;
import java.util.Optional;

/** Expires permission requests. Any process's sweeper may call it. */
public final class PermissionExpiry {
  private static final String ACTOR = "bridle";

  private final Commands commands;
  private final TaskStores stores;
  private final PermissionStore store;
  private final Decisions decisions;

  PermissionExpiry(
      Commands commands, TaskStores stores, PermissionStore store, Decisions decisions) {
    this.commands = commands;
    this.stores = stores;
    this.store = store;
    this.decisions = decisions;
  }

  /** Expires the request of a due entry; removes a stale entry. */
  public void expire(DueEntry entry) {
    commands.fenced(
        FencedWrite.SWEEP,
        entry.tenant(),
        ACTOR,
        write -> {
          Optional<PermissionRecord> request =
              store
                  .find(write.tr(), entry.tenant(), entry.id())
                  .filter(record -> owns(record, entry));
          Optional<TaskRecord> task =
              request.flatMap(
                  record ->
                      stores
                          .tasks()
                          .find(write.tr(), entry.tenant(), record.getRequest().getTaskId()));
          if (task.isEmpty()) {
            stores.due().cancel(write.tr(), entry);
            return false;
          }
          TaskChange change = stores.change(write, task.get());
          decisions.timeOut(change, request.get());
          change.save();
          return true;
        });
  }

  private static boolean owns(PermissionRecord record, DueEntry entry) {
    return record.getDueAt() == entry.dueMillis()
        && record.getRequest().getStatus() == PermissionStatus.PERMISSION_STATUS_PENDING;
  }
}
