package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.work.task.DueTasks;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.storage.layer.DueEntry;
import java.util.Optional;

/** Expires permission requests: by their time, by any process's sweeper, or since nobody waits. */
public final class PermissionExpiry {
  private final DueTasks due;
  private final TaskStore tasks;
  private final PermissionStore store;
  private final Decisions decisions;

  PermissionExpiry(DueTasks due, TaskStore tasks, PermissionStore store, Decisions decisions) {
    this.due = due;
    this.tasks = tasks;
    this.store = store;
    this.decisions = decisions;
  }

  /** Expires the request of a due entry; removes a stale entry. */
  public void expire(DueEntry entry) {
    due.change(
        entry,
        write ->
            pending(write, entry)
                .flatMap(
                    record ->
                        tasks.find(write.tr(), entry.tenant(), record.getRequest().getTaskId())),
        change -> decisions.timeOut(change, pending(change.write(), entry).orElseThrow()));
  }

  /**
   * Expires the request that a task waits for if it was asked under this key, and lets the task go
   * on; returns whether it was.
   */
  public boolean withdraw(TaskChange change, String stepKey) {
    Optional<PermissionRecord> asked = asked(change, stepKey);
    asked.ifPresent(before -> decisions.withdraw(change, before));
    return asked.isPresent();
  }

  /** Does the same for a request in whose place another one comes. */
  public boolean change(TaskChange change, String stepKey) {
    Optional<PermissionRecord> asked = asked(change, stepKey);
    asked.ifPresent(before -> decisions.change(change, before));
    return asked.isPresent();
  }

  private Optional<PermissionRecord> asked(TaskChange change, String stepKey) {
    String id = change.record().getPermissionRequestId();
    Write write = change.write();
    return id.isEmpty()
        ? Optional.empty()
        : store
            .find(write.tr(), write.tenant(), id)
            .filter(record -> record.getRequest().getRequest().getStepKey().equals(stepKey));
  }

  private Optional<PermissionRecord> pending(Write write, DueEntry entry) {
    return store
        .find(write.tr(), entry.tenant(), entry.id())
        .filter(record -> PermissionStore.PERMISSION.isDue(record, entry))
        .filter(
            record ->
                record.getRequest().getStatus() == PermissionStatus.PERMISSION_STATUS_PENDING);
  }
}
