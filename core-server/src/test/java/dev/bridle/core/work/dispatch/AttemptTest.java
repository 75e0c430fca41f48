package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.outcome.v1.OutcomeStatus;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttemptTest extends LeasedTasks {
  @Test
  void aLostLeaseGoesToAnotherWorkerWhichSeesWhatWasRecorded() {
    core.submit(session);
    worker.want(1);
    TaskLease lost = worker.lease();
    core.workers().reportStep(dependency(lost, "llm:main:1"));
    worker.want(1);
    TaskLease next = worker.lease();

    assertThat(next.getTask().getId()).isEqualTo(lost.getTask().getId());
    assertThat(next.getFence()).isGreaterThan(lost.getFence());
    assertThat(next.getAttempt()).isEqualTo(2);
    assertThat(next.getRerun()).isTrue();
    assertThat(steps(next))
        .singleElement()
        .satisfies(step -> assertThat(step.getValue().toStringUtf8()).isEqualTo("{\"a\":1}"));
    assertThatThrownBy(() -> core.workers().reportStep(artifact(lost, "late")))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("ABORTED");
    assertThatThrownBy(() -> complete(lost, "late")).hasMessageContaining("ABORTED");
    assertThat(core.task(next.getTask().getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    complete(next, "done");
    assertThat(core.kindsOf(next.getTask().getId()))
        .containsExactly(
            "task.submitted",
            "task.started",
            "vendor.bridle.dependency_recorded",
            "vendor.bridle.attempt_ended",
            "vendor.bridle.attempt_started",
            "task.completed");
  }

  @Test
  void aTaskWhoseLeasesAreAllLostFailsWithAReason() {
    Task task = core.submit(session);
    for (int attempt = 1; attempt <= 3; attempt++) {
      worker.want(1);
      assertThat(worker.lease().getAttempt()).isEqualTo(attempt);
    }

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> core.task(task.getId()).getStatus() == TaskStatus.TASK_STATUS_FAILED);
    assertThat(core.task(task.getId()).getFailure().getCode()).isEqualTo("attempts_exhausted");
    assertThat(outcomes(task.getId()).get(0).getStatus())
        .isEqualTo(OutcomeStatus.OUTCOME_STATUS_FAILED);
  }

  @Test
  void anHonestFailureEndsTheTaskAndARetryableOneTriesAgain() {
    Task task = core.submit(session);
    worker.want(1);
    fail(worker.lease(), true);
    worker.want(1);
    TaskLease second = worker.lease();
    assertThat(second.getAttempt()).isEqualTo(2);
    fail(second, false);

    Task failed = core.task(task.getId());
    assertThat(failed.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
    assertThat(failed.getFailure().getCode()).isEqualTo("no_luck");
  }

  @Test
  void anAttemptThatFailsAndSaysSoTwiceIsAnsweredTwiceAndLostOnce() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    fail(lease, true);
    fail(lease, true);

    assertThat(core.kindsOf(task.getId())).containsOnlyOnce("vendor.bridle.attempt_ended");
    worker.want(1);
    assertThat(worker.lease().getAttempt()).isEqualTo(2);
  }

  @Test
  void aServerThatStartsAgainQueuesTheTasksOfItsOwnWorkersAtOnce() {
    String credential = core.core().processCredential("default", "demo", Set.of("workers:lease"));
    TestWorker own = new TestWorker(core.as(credential), "", "own");
    Task task = core.submit(session);
    own.want(1);
    own.lease();
    String key = core.key();
    core.close();
    core = TestCore.restart(directory, TaskOptions.DEFAULT, key);
    worker = new TestWorker(core.owner(), "", "w9");
    worker.want(1);

    assertThat(worker.lease().getTask().getId()).isEqualTo(task.getId());
  }
}
