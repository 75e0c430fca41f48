package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.TaskLease;
import org.junit.jupiter.api.Test;

/** A task asks people for so many permissions and no more. */
final class PermissionBoundTest extends AskedTasks {

  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT.withMaxPermissionRequests(2);
  }

  @Test
  void whatATaskAsksBeyondTheBoundIsRefusedAndWhatWasDecidedHolds() {
    TaskLease lease = begin();
    String task = lease.getTask().getId();
    deny("ada", ask(lease, "one", "ls").getRequestId());
    TaskLease second = next(task);
    String approved = ask(second, "two", "pwd").getRequestId();
    approve("ada", approved);
    TaskLease third = next(task);

    assertThatThrownBy(() -> ask(third, "three", "whoami"))
        .hasMessageContaining("limit of permission requests");

    assertThat(ask(third, "one", "ls").getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_DENIED);
    assertThat(ask(third, "two", "pwd").getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    assertThat(read(approved).getStatus()).isEqualTo(PermissionStatus.PERMISSION_STATUS_APPROVED);
    assertThat(ask(begin(), "one", "ls").getVerdict())
        .as("another task")
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
  }
}
