package dev.bridle.core.work.task;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.DueEntry;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Changes tasks when they are due. Any process's sweeper may call it. */
public final class DueTasks {
  private static final String ACTOR = "bridle";

  private final Commands commands;
  private final TaskStores stores;

  public DueTasks(Commands commands, TaskStores stores) {
    this.commands = commands;
    this.stores = stores;
  }

  /** Changes the task of a due entry; removes the entry if it is stale. */
  public void change(DueEntry entry, Consumer<TaskChange> work) {
    change(
        entry,
        write ->
            stores
                .tasks()
                .find(write.tr(), entry.tenant(), entry.id())
                .filter(record -> TaskStore.TASK.isDue(record, entry)),
        work);
  }

  /**
   * Changes the task that a due entry leads to; removes the entry if it is stale.
   *
   * @param find returns the task; empty if the entry is stale
   */
  public void change(
      DueEntry entry, Function<Write, Optional<TaskRecord>> find, Consumer<TaskChange> work) {
    commands.fenced(
        FencedWrite.SWEEP,
        entry.tenant(),
        ACTOR,
        write -> {
          Optional<TaskRecord> before = find.apply(write);
          if (before.isEmpty()) {
            stores.due().cancel(write.tr(), entry);
            return false;
          }
          TaskChange change = stores.change(write, before.get());
          work.accept(change);
          change.save();
          return true;
        });
  }
}
