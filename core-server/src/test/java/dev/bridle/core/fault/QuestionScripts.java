package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UserMessage;
import java.time.Duration;
import java.util.List;

/** Tasks that wait for people or clients. See {@link Scenarios}. */
final class QuestionScripts {
  private static final Duration DAY = Duration.ofDays(1);

  private QuestionScripts() {}

  static void question(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    TaskLease asking = world.lease("w1");
    assertThat(TaskSteps.ask(world, asking).hasAnswer()).isFalse();
    String message = TaskSteps.answer(world, task.getId(), "key-2");
    TaskLease lease = world.lease("w1");
    assertThat(lease.getTask().getId()).isEqualTo(task.getId());
    assertThat(TaskSteps.ask(world, lease).getAnswer().getParts(0).getText().getText())
        .isEqualTo("forty-two");
    var unused = TaskSteps.complete(world, lease);
    assertThat(TaskSteps.answer(world, task.getId(), "key-2")).isEqualTo(message);
    world
        .expected()
        .completed(
            task.getId(), "task.input_required", "user.input_submitted", "task.status_changed");
  }

  static void permission(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    RequestPermissionResponse asked = PermissionSteps.may(world, world.lease("w1"), DAY);
    assertThat(asked.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    PermissionRequest approved =
        PermissionSteps.approve(world, asked.getRequestId(), "this_tool", "key-2");
    TaskLease lease = world.lease("w1");
    RequestPermissionResponse allowed = PermissionSteps.may(world, lease, DAY);
    assertThat(allowed.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    assertThat(allowed.getRequestId()).isEqualTo(asked.getRequestId());
    assertThat(PermissionSteps.may(world, lease, DAY)).as("the same call").isEqualTo(allowed);
    assertThat(PermissionSteps.approve(world, asked.getRequestId(), "this_tool", "key-2"))
        .isEqualTo(approved);
    var unused = TaskSteps.complete(world, lease);
    world
        .expected()
        .completed(
            task.getId(),
            "tool.approval_required",
            "task.auth_required",
            "user.tool_confirmation",
            "vendor.bridle.permission_granted",
            "tool.approved",
            "task.status_changed",
            "vendor.bridle.permission_used");
  }

  static void permissionExpiry(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    RequestPermissionResponse asked =
        PermissionSteps.may(world, world.lease("w1"), Duration.ofSeconds(5));
    world.leaseTimePasses();
    TaskLease lease = world.lease("w1");
    RequestPermissionResponse expired = PermissionSteps.may(world, lease, Duration.ofSeconds(5));
    assertThat(expired.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_EXPIRED);
    assertThat(expired.getRequestId()).isEqualTo(asked.getRequestId());
    var unused = TaskSteps.complete(world, lease);
    Task canceled = TaskSteps.submit(world, "key-2");
    var waits = PermissionSteps.may(world, world.lease("w1"), DAY);
    assertThat(waits.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    assertThat(TaskSteps.cancel(world, canceled.getId(), "key-3").getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
    world
        .expected()
        .task(
            task.getId(),
            TaskStatus.TASK_STATUS_COMPLETED,
            "task.auth_required",
            "vendor.bridle.permission_expired",
            "task.status_changed",
            "task.completed");
    world
        .expected()
        .task(
            canceled.getId(),
            TaskStatus.TASK_STATUS_CANCELED,
            "task.auth_required",
            "vendor.bridle.permission_expired",
            "task.canceled");
  }

  /** An agent changes what it asks for, and then does another thing than was approved. */
  static void permissionChange(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    TaskLease asking = world.lease("w1");
    RequestPermissionResponse first = PermissionSteps.may(world, asking, DAY);
    PermissionSteps.change(world, asking);
    TaskLease again = world.lease("w1");
    RequestPermissionResponse second = PermissionSteps.instead(world, again);
    assertThat(second.getRequestId()).isNotEqualTo(first.getRequestId());
    var unusedApproval =
        PermissionSteps.approve(world, second.getRequestId(), "this_tool", "key-2");
    TaskLease lease = world.lease("w1");
    assertThat(PermissionSteps.instead(world, lease).getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    assertThat(PermissionSteps.diverge(world, lease).getPermissionRequestId())
        .isEqualTo(second.getRequestId());
    var unused = TaskSteps.fail(world, lease, false);
    world
        .expected()
        .task(
            task.getId(),
            TaskStatus.TASK_STATUS_FAILED,
            "vendor.bridle.permission_changed",
            "tool.approved",
            "vendor.bridle.permission_used",
            "vendor.bridle.acted_differently",
            "task.failed");
  }

  static void hostTool(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    TaskLease first = world.lease("w1");
    assertThat(PermissionSteps.hostTool(world, first, "one").getVerdict())
        .isEqualTo(PermissionVerdict.PERMISSION_VERDICT_WAITING);
    PermissionSteps.approve(
        world, PermissionSteps.pending(world, task.getId()), "this_tool", "key-2");
    assertThat(PermissionSteps.hostTool(world, world.lease("w1"), "one").hasAnswer()).isFalse();
    String message = PermissionSteps.hostResult(world, task.getId(), "key-3");
    TaskLease second = world.lease("w1");
    assertThat(PermissionSteps.hostTool(world, second, "one").getAnswer().getId())
        .isEqualTo(message);
    assertThat(PermissionSteps.hostTool(world, second, "two").getTimedOut()).isFalse();
    assertThat(PermissionSteps.hostResult(world, task.getId(), "key-3")).isEqualTo(message);
    world.leaseTimePasses();
    TaskLease third = world.lease("w1");
    assertThat(PermissionSteps.hostTool(world, third, "two").getTimedOut()).isTrue();
    var unused = TaskSteps.complete(world, third);
    world
        .expected()
        .task(
            task.getId(),
            TaskStatus.TASK_STATUS_COMPLETED,
            "tool.approval_required",
            "tool.completed",
            "tool.failed",
            "task.completed");
  }

  static void message(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    TaskLease lost = world.lease("w1");
    String message = TaskSteps.say(world, task.getId(), "key-2");
    world.leaseTimePasses();
    world.leaseTimePasses();
    TaskLease lease = world.lease("w2");
    assertThat(lease.getHasMessages()).isTrue();
    List<UserMessage> waiting = TaskSteps.take(world, lease, 0);
    assertThat(waiting).hasSize(1);
    assertThat(waiting.get(0).getMessage().getId()).isEqualTo(message);
    assertThat(waiting.get(0).getTaken()).isFalse();
    assertThatThrownBy(() -> TaskSteps.take(world, lost, 0)).hasMessageContaining("ABORTED");
    assertThat(TaskSteps.complete(world, lease).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    List<UserMessage> taken = TaskSteps.take(world, lease, waiting.get(0).getSequence());
    assertThat(taken).allMatch(UserMessage::getTaken).hasSize(1);
    assertThat(TaskSteps.complete(world, lease).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    assertThat(TaskSteps.say(world, task.getId(), "key-2")).isEqualTo(message);
    world.expected().completed(task.getId(), "user.message");
  }

  static void lateQuestion(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    TaskLease lease = world.lease("w1");
    var unused = TaskSteps.cancel(world, task.getId(), "key-2");
    assertThat(TaskSteps.ask(world, lease).hasAnswer()).isFalse();
    assertThat(TaskSteps.ask(world, lease).hasAnswer()).as("asked twice").isFalse();
    world
        .expected()
        .task(
            task.getId(),
            TaskStatus.TASK_STATUS_CANCELED,
            "task.submitted",
            "task.started",
            "user.cancel_requested",
            "task.canceled");
  }
}
