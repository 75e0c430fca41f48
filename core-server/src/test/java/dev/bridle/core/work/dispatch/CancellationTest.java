package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.outcome.v1.OutcomeStatus;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CancellationTest extends LeasedTasks {
  @Test
  void aCancellationIsToldToTheWorkerAndTrueOnlyOnceItHasStopped() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    Task asked = cancel(task.getId());
    assertThat(asked.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    assertThat(worker.cancel(Duration.ofSeconds(10)))
        .hasValueSatisfying(notice -> assertThat(notice.getFence()).isEqualTo(lease.getFence()));
    core.workers()
        .acknowledgeCancel(
            AcknowledgeCancelRequest.newBuilder()
                .setTaskId(task.getId())
                .setFence(lease.getFence())
                .build());

    Task canceled = core.task(task.getId());
    assertThat(canceled.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
    assertThat(canceled.hasCanceledAt()).isTrue();
    assertThat(canceled.hasCompletedAt()).isFalse();
    assertThat(cancel(task.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
    assertThat(core.kindsOf(task.getId()))
        .containsExactly(
            "task.submitted", "task.started", "user.cancel_requested", "task.canceled");
  }

  @Test
  void aWorkerThatDoesNotStopIsFencedOff() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    cancel(task.getId());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              beat(lease);
              return core.task(task.getId()).getStatus() == TaskStatus.TASK_STATUS_CANCELED;
            });

    assertThatThrownBy(() -> complete(lease, "too late")).hasMessageContaining("ABORTED");
    assertThat(outcomes(task.getId()).get(0).getStatus())
        .isEqualTo(OutcomeStatus.OUTCOME_STATUS_CANCELED);
  }

  @Test
  void aTaskThatNobodyRunsIsCanceledAtOnce() {
    Task queued = core.submit(session);
    assertThat(cancel(queued.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
    worker.want(1);
    assertThat(worker.next(Duration.ofMillis(200))).isEmpty();

    Task asking = core.submit(session);
    core.workers().requestInput(question(worker.lease(), 0));
    assertThat(cancel(asking.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }
}
