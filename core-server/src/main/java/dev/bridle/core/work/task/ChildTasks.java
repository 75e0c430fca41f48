package dev.bridle.core.work.task;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.UsageStore;
import dev.bridle.storage.layer.UsageStore.Counted;

/**
 * Limits how many tasks a task may delegate in its lifetime. They are counted apart from its
 * record, which changes while it works, so that its worker and its children do not conflict.
 */
final class ChildTasks {
  /** The most tasks with the same parent; replays do not count. */
  static final int MOST = 10_000;

  /** How far below the limit the count is read with a conflict, so that it is exact. */
  private static final int MARGIN = 64;

  private final UsageStore usage;

  ChildTasks(KeyLayout layout) {
    this.usage = new UsageStore(layout);
  }

  /** Counts one more child of a task; {@code policy_violation} if it has too many. */
  void count(Write write, TaskRecord parent) {
    String id = parent.getTask().getId();
    Counted children = counted(id);
    if (usage.sum(write.tr().snapshot(), write.tenant(), children) >= MOST - MARGIN
        && usage.sum(write.tr(), write.tenant(), children) >= MOST) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_POLICY_VIOLATION,
              "The parent has delegated as many tasks as it may; submit the task without a parent.")
          .blaming("parent_task_id")
          .with("max_child_tasks", MOST);
    }
    // One shard of the parent's, so that a task leaves one row.
    usage.add(write.tr(), write.tenant(), children, id, 1);
  }

  static Counted counted(String parent) {
    return new Counted(parent, "children", 0);
  }
}
