package dev.bridle.core.work.task;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.server.StoredData;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.server.WithCore;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.UsageStore;
import dev.bridle.storage.layer.UsageStore.Counted;
import dev.bridle.task.v1.Task;
import org.junit.jupiter.api.Test;

/** How many tasks may have the same parent. */
final class ChildTasksTest extends WithCore {
  private static final int MOST = 10_000;

  @Test
  void aTaskDelegatesNoMoreTasksThanItMayAndOthersDelegateTheirs() {
    Task parent = core.submit(core.newSession());
    Task other = core.submit(core.newSession());
    assertThat(child(parent).getParentTaskId()).isEqualTo(parent.getId());
    delegated(parent, MOST - 2);
    assertThat(child(parent).getParentTaskId()).isEqualTo(parent.getId());

    assertRefused(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "parent_task_id", () -> child(parent));

    assertThat(child(other).getParentTaskId()).isEqualTo(other.getId());
    StoredData.assertSound(core.store());
  }

  private Task child(Task parent) {
    return core.tasks()
        .submitSessionTask(
            TestCore.submission(parent.getSessionId()).toBuilder()
                .setParentTaskId(parent.getId())
                .build());
  }

  private void delegated(Task parent, int children) {
    core.store()
        .transact(
            tr -> {
              new UsageStore(KeyLayout.root())
                  .add(
                      tr,
                      Tenants.DEFAULT,
                      new Counted(parent.getId(), "children", 0),
                      parent.getId(),
                      children);
              return true;
            });
  }
}
