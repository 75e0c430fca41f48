package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.outcome.v1.OutcomeStatus;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.ReportStepResponse;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerBinding;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaseTest extends LeasedTasks {
  @Test
  void aTaskIsLeasedReportedOnAndCompleted() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    assertThat(lease.getTask().getId()).isEqualTo(task.getId());
    assertThat(lease.getTask().getInput().getJson().toStringUtf8()).isEqualTo("{\"n\":1}");
    assertThat(lease.getAttempt()).isEqualTo(1);
    assertThat(lease.getRerun()).isFalse();
    core.workers().reportStep(artifact(lease, "report"));
    complete(lease, "done");

    Task ended = core.task(task.getId());
    assertThat(ended.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    assertThat(ended.hasCompletedAt()).isTrue();
    assertThat(outcomes(task.getId()))
        .singleElement()
        .satisfies(
            outcome -> {
              assertThat(outcome.getId()).isEqualTo(ended.getOutcomeId());
              assertThat(outcome.getStatus()).isEqualTo(OutcomeStatus.OUTCOME_STATUS_SUCCEEDED);
              assertThat(outcome.getSummary()).isEqualTo("done");
            });
    assertThat(core.kindsOf(task.getId()))
        .containsExactly("task.submitted", "task.started", "artifact.created", "task.completed");
    assertThat(core.eventsOf(task.getId()).stream().map(e -> e.getSequence()))
        .containsExactly(0L, 1L, 2L, 3L);
  }

  @Test
  void aTaskThatIsSubmittedLaterReachesAWorkerThatWaits() {
    worker.want(8);
    assertThat(worker.next(Duration.ofMillis(50))).isEmpty();
    Task first = core.submit(session);
    Task second = core.submit(session);

    // On a slow machine a lease ends meanwhile, and its task comes again.
    Set<String> reached = new HashSet<>();
    while (reached.size() < 2) {
      reached.add(worker.lease().getTask().getId());
    }
    assertThat(reached).containsExactlyInAnyOrder(first.getId(), second.getId());
  }

  @Test
  void aWorkerGetsNoMoreThanItWants() {
    core.submit(session);
    core.submit(session);
    worker.want(1);
    worker.lease();

    assertThat(worker.next(Duration.ofMillis(200))).isEmpty();
  }

  @Test
  void aStepIsAppliedOnceAndAnsweredFromTheRecordAfterwards() {
    core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    ReportStepResponse first = core.workers().reportStep(artifact(lease, "k"));
    ReportStepResponse again = core.workers().reportStep(artifact(lease, "k"));

    assertThat(first.getApplied()).isTrue();
    assertThat(again.getApplied()).isFalse();
    assertThat(again.getStep()).isEqualTo(first.getStep());
    assertThat(core.kindsOf(lease.getTask().getId())).containsOnlyOnce("artifact.created");
  }

  @Test
  void heartbeatsKeepALeaseBeyondItsTime() {
    core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    long until = System.nanoTime() + Duration.ofMillis(1800).toNanos();
    await()
        .pollInterval(Duration.ofMillis(80))
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              assertThat(beat(lease)).isEqualTo(LeaseState.LEASE_STATE_HELD);
              return System.nanoTime() > until;
            });

    complete(lease, "done");
    assertThat(core.kindsOf(lease.getTask().getId())).doesNotContain("vendor.bridle.attempt_ended");
  }

  @Test
  void anEndingToldTwiceIsHarmless() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    complete(lease, "done");
    complete(lease, "done");

    assertThat(outcomes(task.getId())).hasSize(1);
  }

  @Test
  void aRegisteredAgentGetsItsTasksAndThoseThatWaitedForNobody() {
    Task early = core.submit(session);
    core.workers()
        .registerWorker(
            RegisterWorkerRequest.newBuilder()
                .setAgentId("coder")
                .addBindings(WorkerBinding.newBuilder().setWorkspaceId("default"))
                .build());
    Task late = core.submit(session);
    assertThat(late.getAssignedAgentId()).isEqualTo("coder");
    worker.want(2);
    TestWorker coder = new TestWorker(core.owner(), "coder", "c1");
    coder.want(2);

    assertThat(List.of(coder.lease().getTask().getId(), coder.lease().getTask().getId()))
        .containsExactlyInAnyOrder(early.getId(), late.getId());
    assertThat(worker.next(Duration.ofMillis(200))).isEmpty();
  }
}
