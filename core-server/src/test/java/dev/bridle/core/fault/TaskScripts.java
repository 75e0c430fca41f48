package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.TaskLease;

/**
 * Tasks from a submission to an end, with and without faults of their workers. See {@link
 * Scenarios}.
 */
final class TaskScripts {
  private TaskScripts() {}

  static void task(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    TaskLease lease = world.lease("w1");
    assertThat(lease.getTask().getId()).isEqualTo(task.getId());
    assertThat(TaskSteps.beat(world, lease).getStatusesCount()).isEqualTo(1);
    RecordedStep progress = TaskSteps.progress(world, lease, "p");
    RecordedStep artifact = TaskSteps.artifact(world, lease, "a");
    assertThat(TaskSteps.progress(world, lease, "p")).isEqualTo(progress);
    assertThat(TaskSteps.artifact(world, lease, "a")).isEqualTo(artifact);
    Task ended = TaskSteps.complete(world, lease);
    assertThat(TaskSteps.complete(world, lease)).isEqualTo(ended);
    assertThat(TaskSteps.submit(world, "key-1")).as("the answer to a retry").isEqualTo(task);
    world.expected().completed(task.getId(), "vendor.bridle.progress", "artifact.created");
  }

  static void waitingWorker(World world) {
    world.want("w1");
    Task task = TaskSteps.submit(world, "key-1");
    assertThat(task.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_SUBMITTED);
    TaskLease lease = world.lease("w1");
    assertThat(lease.getTask().getId()).isEqualTo(task.getId());
    Task ended = TaskSteps.complete(world, lease);
    assertThat(TaskSteps.complete(world, lease)).isEqualTo(ended);
    assertThat(TaskSteps.submit(world, "key-1")).as("the answer to a retry").isEqualTo(task);
    world.expected().completed(task.getId());
  }

  static void batches(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    TaskLease asking = world.lease("w1");
    RecordedStep artifact = ReportSteps.artifact(world, asking, "a", "p1", "p2");
    assertThat(ReportSteps.artifact(world, asking, "a", "p1", "p2")).isEqualTo(artifact);
    RecordedStep progress = ReportSteps.progress(world, asking, "p4", "p2", "p3");
    assertThat(ReportSteps.progress(world, asking, "p4", "p2", "p3")).isEqualTo(progress);
    assertThat(ReportSteps.ask(world, asking, "p4", "p5").hasAnswer()).isFalse();
    assertThat(ReportSteps.ask(world, asking, "p4", "p5").hasAnswer()).isFalse();
    var answer = TaskSteps.answer(world, task.getId(), "key-2");
    assertThat(TaskSteps.answer(world, task.getId(), "key-2")).isEqualTo(answer);
    TaskLease lease = world.lease("w1");
    assertThat(ReportSteps.ask(world, lease, "p6").hasAnswer()).isTrue();
    Task ended = ReportSteps.complete(world, lease, "p6", "p1", "p7");
    assertThat(ReportSteps.complete(world, lease, "p6", "p1", "p7")).isEqualTo(ended);
    assertThat(ReportSteps.progressOf(world, task.getId()))
        .containsExactly("p1", "p2", "p3", "p4", "p5", "p6", "p7");
    world
        .expected()
        .completed(
            task.getId(),
            "artifact.created",
            "task.input_required",
            "user.input_submitted",
            "agent.message",
            "vendor.note");
  }

  static void cancel(World world) {
    Task waiting = TaskSteps.submit(world, "key-1");
    Task canceled = TaskSteps.cancel(world, waiting.getId(), "key-2");
    assertThat(canceled.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
    Task held = TaskSteps.submit(world, "key-3");
    TaskLease lease = world.lease("w1");
    Task asked = TaskSteps.cancel(world, held.getId(), "key-4");
    assertThat(asked.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    Task ended = TaskSteps.acknowledgeCancel(world, lease);
    assertThat(TaskSteps.acknowledgeCancel(world, lease)).isEqualTo(ended);
    assertThat(TaskSteps.cancel(world, waiting.getId(), "key-2")).isEqualTo(canceled);
    assertThat(TaskSteps.cancel(world, held.getId(), "key-4")).isEqualTo(asked);
    world
        .expected()
        .task(
            waiting.getId(),
            TaskStatus.TASK_STATUS_CANCELED,
            "task.submitted",
            "user.cancel_requested",
            "task.canceled");
    world
        .expected()
        .task(
            held.getId(),
            TaskStatus.TASK_STATUS_CANCELED,
            "task.submitted",
            "task.started",
            "user.cancel_requested",
            "task.canceled");
  }

  static void retry(World world) {
    Task first = TaskSteps.submit(world, "key-1");
    assertThat(TaskSteps.submit(world, "key-1")).isEqualTo(first);
    Task second = TaskSteps.submit(world, "key-2");
    assertThat(second.getId()).isNotEqualTo(first.getId());
    assertThat(TaskSteps.submit(world, "key-2")).isEqualTo(second);
    assertThat(TaskSteps.submit(world, "key-1")).isEqualTo(first);
    for (int i = 0; i < 2; i++) {
      assertThat(TaskSteps.complete(world, world.lease("w1")).getStatus())
          .isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    }
    for (Task task : new Task[] {first, second}) {
      world.expected().completed(task.getId());
    }
  }

  static void expiry(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    TaskLease lost = world.lease("w1");
    RecordedStep step = TaskSteps.progress(world, lost, "p");
    world.leaseTimePasses();
    world.leaseTimePasses();
    TaskLease lease = world.lease("w2");
    assertThat(lease.getFence()).isGreaterThan(lost.getFence());
    assertThat(lease.getAttempt()).isGreaterThan(1);
    assertThat(TaskSteps.progress(world, lease, "p")).isEqualTo(step);
    assertThatThrownBy(() -> TaskSteps.complete(world, lost)).hasMessageContaining("ABORTED");
    var unused = TaskSteps.complete(world, lease);
    world.expected().completed(task.getId(), "vendor.bridle.progress");
  }

  static void failure(World world) {
    Task task = TaskSteps.submit(world, "key-1");
    TaskLease first = world.lease("w1");
    assertThat(TaskSteps.fail(world, first, true).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    assertThat(TaskSteps.fail(world, first, true).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    TaskLease second = world.lease("w1");
    assertThat(second.getFence()).isGreaterThan(first.getFence());
    Task ended = TaskSteps.fail(world, second, false);
    assertThat(TaskSteps.fail(world, second, false)).isEqualTo(ended);
    world
        .expected()
        .task(
            task.getId(),
            TaskStatus.TASK_STATUS_FAILED,
            "task.submitted",
            "task.started",
            "task.failed");
  }
}
