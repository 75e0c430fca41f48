package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.Refusal;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks whose process goes on working while they wait for an answer. */
class WorkWhileParkedTest extends LeasedTasks {
  private static final int LONG_SECONDS = 60;

  private TestWorker host;
  private TaskLease lease;

  @BeforeEach
  void parkATask() {
    host =
        new TestWorker(
            core.owner(), LeaseHello.newBuilder().setWorkerId("host").setWorksWhileParked(true));
    lease = parked(host);
  }

  @AfterEach
  void leave() {
    host.close();
  }

  private TaskLease parked(TestWorker by) {
    var unused = core.submit(session);
    by.want(1);
    TaskLease taken = by.lease();
    var asked = core.workers().requestInput(question(taken, LONG_SECONDS));
    assertThat(asked.hasAnswer()).isFalse();
    return taken;
  }

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThat(Refusal.of(call).getCode()).isEqualTo(code);
  }

  private Task task() {
    return core.task(lease.getTask().getId());
  }

  @Test
  void itsReportsAreTakenAndTheQuestionStaysOpen() {
    assertThat(lease.getWorksWhileParked()).isTrue();
    var unused = core.workers().reportStep(dependency(lease, "while it waits"));

    assertThat(task().getStatus()).isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
    assertThat(steps(lease))
        .extracting(RecordedStep::getStepKey)
        .containsExactlyInAnyOrder("ask", "while it waits");
    assertThat(beat(lease)).isEqualTo(LeaseState.LEASE_STATE_PARKED);
  }

  @Test
  void aWorkerThatHasNotDeclaredItIsRefused() {
    TaskLease plain = parked(worker);

    assertThat(plain.getWorksWhileParked()).isFalse();
    refused(
        ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
        () -> core.workers().reportStep(dependency(plain, "x")));
    refused(ErrorCode.ERROR_CODE_RESOURCE_LOCKED, () -> fail(plain, false));
    assertThat(cancel(plain.getTask().getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }

  @Test
  void itsReportsNeedTheFenceOfTheParkedLease() {
    TaskLease other = lease.toBuilder().setFence(lease.getFence() - 1).build();

    refused(
        ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
        () -> core.workers().reportStep(dependency(other, "x")));
    refused(ErrorCode.ERROR_CODE_RESOURCE_LOCKED, () -> fail(other, false));
  }

  @Test
  void itCanFailTheTaskButNotCompleteIt() {
    refused(ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION, () -> complete(lease, "done"));
    assertThat(task().getStatus()).isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);

    fail(lease, false);

    assertThat(task().getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
    assertThat(beat(lease)).isEqualTo(LeaseState.LEASE_STATE_FREE);
  }

  @Test
  void anAttemptThatIsLostLeavesTheQuestionOpen() {
    fail(lease, true);

    assertThat(task().getStatus()).isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
    assertThat(beat(lease)).isEqualTo(LeaseState.LEASE_STATE_FREE);
  }

  @Test
  void aCancellationWithdrawsTheQuestionAndWaitsForTheProcess() {
    Task asked = cancel(lease.getTask().getId());

    assertThat(asked.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    assertThat(host.cancel(Duration.ofSeconds(10)))
        .hasValueSatisfying(notice -> assertThat(notice.getFence()).isEqualTo(lease.getFence()));
    assertThat(beat(lease)).isEqualTo(LeaseState.LEASE_STATE_HELD);
    var unused = core.workers().reportStep(dependency(lease, "its last"));
    var acknowledged =
        core.workers()
            .acknowledgeCancel(
                AcknowledgeCancelRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .build());

    assertThat(acknowledged.getTask().getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
    assertThat(core.kindsOf(lease.getTask().getId()))
        .containsExactly(
            "task.submitted",
            "task.started",
            "task.input_required",
            "user.cancel_requested",
            "task.status_changed",
            "vendor.bridle.dependency_recorded",
            "task.canceled");
  }

  @Test
  void aProcessThatDoesNotStopIsFencedOff() {
    cancel(lease.getTask().getId());

    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              var unused = beat(lease);
              return task().getStatus() == TaskStatus.TASK_STATUS_CANCELED;
            });
    refused(
        ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
        () -> core.workers().reportStep(dependency(lease, "too late")));
  }
}
