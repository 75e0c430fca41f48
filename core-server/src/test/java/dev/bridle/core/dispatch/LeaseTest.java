package dev.bridle.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.Failure;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.task.TaskOptions;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.outcome.v1.ListOutcomesRequest;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.outcome.v1.OutcomeServiceGrpc;
import dev.bridle.outcome.v1.OutcomeStatus;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AcknowledgeCancelRequest;
import dev.bridle.worker.v1.ArtifactReport;
import dev.bridle.worker.v1.CompleteTaskRequest;
import dev.bridle.worker.v1.DependencyReport;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.ReportStepRequest;
import dev.bridle.worker.v1.ReportStepResponse;
import dev.bridle.worker.v1.RequestInputRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.WorkerBinding;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseTest {
  @TempDir Path directory;
  private TestCore core;
  private TestWorker worker;
  private String session;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, TestCore.SHORT);
    worker = new TestWorker(core.owner(), "", "w1");
    session = core.newSession();
  }

  @AfterEach
  void stop() {
    core.close();
  }

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
    worker.want(3);
    assertThat(worker.next(Duration.ofMillis(50))).isEmpty();
    Task first = core.submit(session);
    Task second = core.submit(session);

    assertThat(List.of(worker.lease().getTask().getId(), worker.lease().getTask().getId()))
        .containsExactlyInAnyOrder(first.getId(), second.getId());
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
  void heartbeatsKeepALeaseBeyondItsTime() {
    core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    long until = System.nanoTime() + Duration.ofMillis(1800).toNanos();
    await()
        .pollInterval(Duration.ofMillis(80))
        .atMost(Duration.ofSeconds(10))
        .until(
            () -> {
              assertThat(beat(lease)).isEqualTo(LeaseState.LEASE_STATE_HELD);
              return System.nanoTime() > until;
            });

    complete(lease, "done");
    assertThat(core.kindsOf(lease.getTask().getId())).doesNotContain("vendor.bridle.attempt_ended");
  }

  @Test
  void aTaskWhoseLeasesAreAllLostFailsWithAReason() {
    Task task = core.submit(session);
    for (int attempt = 1; attempt <= 3; attempt++) {
      worker.want(1);
      assertThat(worker.lease().getAttempt()).isEqualTo(attempt);
    }

    await()
        .atMost(Duration.ofSeconds(10))
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
  void aQuestionInsteadOfAStopIsAnsweredAlikeWhenItIsToldTwice() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    cancel(task.getId());
    assertThat(core.workers().requestInput(question(lease, 0)).hasAnswer()).isFalse();
    assertThat(core.workers().requestInput(question(lease, 0)).hasAnswer()).isFalse();

    assertThat(core.task(task.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }

  @Test
  void aQuestionFreesTheLeaseAndItsAnswerIsThereOnTheRerun() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    assertThat(core.workers().requestInput(question(lease, 0)).hasAnswer()).isFalse();
    assertThat(core.workers().requestInput(question(lease, 0)).hasAnswer())
        .as("asked twice, as after an unknown answer")
        .isFalse();
    assertThat(core.task(task.getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
    assertThat(beat(lease)).isEqualTo(LeaseState.LEASE_STATE_FREE);

    core.tasks().appendTaskMessage(answer(task.getId()));
    assertThat(core.task(task.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    worker.want(1);
    TaskLease rerun = worker.lease();
    assertThat(rerun.getAttempt()).as("an answer starts no new attempt").isEqualTo(1);
    assertThat(rerun.getRerun()).isTrue();
    assertThat(
            core.workers()
                .requestInput(question(rerun, 0))
                .getAnswer()
                .getParts(0)
                .getText()
                .getText())
        .isEqualTo("forty-two");
    complete(rerun, "done");
    assertThat(core.kindsOf(task.getId()))
        .containsExactly(
            "task.submitted",
            "task.started",
            "task.input_required",
            "user.input_submitted",
            "task.status_changed",
            "task.completed");
  }

  @Test
  void aParkedLeaseGetsItsTaskBackFirst() {
    Task task = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    core.workers().requestInput(question(lease, 60));
    assertThat(beat(lease)).isEqualTo(LeaseState.LEASE_STATE_PARKED);
    TestWorker other = new TestWorker(core.owner(), "", "w2");
    other.want(1);
    core.tasks().appendTaskMessage(answer(task.getId()));

    assertThat(other.next(Duration.ofMillis(200))).isEmpty();
    worker.want(1);
    assertThat(worker.lease().getResumed()).isTrue();
  }

  @Test
  void aParkedLeaseWhoseHoldEndsIsFreed() {
    core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    core.workers()
        .requestInput(question(lease, 0).toBuilder().setHold(Durations.fromMillis(100)).build());

    await().atMost(Duration.ofSeconds(10)).until(() -> beat(lease) == LeaseState.LEASE_STATE_FREE);
    assertThat(core.task(lease.getTask().getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_INPUT_REQUIRED);
  }

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
        .atMost(Duration.ofSeconds(10))
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

  private Task cancel(String task) {
    return core.tasks().cancelTask(CancelTaskRequest.newBuilder().setTaskId(task).build());
  }

  private void complete(TaskLease lease, String summary) {
    var unused =
        core.workers()
            .completeTask(
                CompleteTaskRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setSummary(summary)
                    .build());
  }

  private void fail(TaskLease lease, boolean retryable) {
    var unused =
        core.workers()
            .failTask(
                FailTaskRequest.newBuilder()
                    .setTaskId(lease.getTask().getId())
                    .setFence(lease.getFence())
                    .setFailure(Failure.newBuilder().setCode("no_luck").setMessage("No luck."))
                    .setRetryable(retryable)
                    .build());
  }

  private LeaseState beat(TaskLease lease) {
    return core.workers()
        .heartbeat(
            HeartbeatRequest.newBuilder()
                .addLeases(
                    HeldLease.newBuilder()
                        .setTaskId(lease.getTask().getId())
                        .setFence(lease.getFence()))
                .build())
        .getStatuses(0)
        .getState();
  }

  private List<RecordedStep> steps(TaskLease lease) {
    return core.workers()
        .listSteps(
            ListStepsRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .build())
        .getStepsList();
  }

  private List<Outcome> outcomes(String task) {
    return OutcomeServiceGrpc.newBlockingStub(core.owner())
        .listOutcomes(ListOutcomesRequest.newBuilder().setTaskId(task).build())
        .getDataList();
  }

  private static ReportStepRequest artifact(TaskLease lease, String key) {
    return ReportStepRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey(key)
        .setArtifact(
            ArtifactReport.newBuilder()
                .setKind(ArtifactKind.ARTIFACT_KIND_LOG)
                .setMimeType("text/plain")
                .setVisibility(Visibility.VISIBILITY_PUBLIC)
                .setContent(ByteString.copyFromUtf8("hello")))
        .build();
  }

  private static ReportStepRequest dependency(TaskLease lease, String key) {
    return ReportStepRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey(key)
        .setDependency(DependencyReport.newBuilder().setValue(ByteString.copyFromUtf8("{\"a\":1}")))
        .build();
  }

  private static RequestInputRequest question(TaskLease lease, int holdSeconds) {
    return RequestInputRequest.newBuilder()
        .setTaskId(lease.getTask().getId())
        .setFence(lease.getFence())
        .setStepKey("ask")
        .setPrompt("How many?")
        .setHold(Durations.fromSeconds(holdSeconds))
        .build();
  }

  private static AppendTaskMessageRequest answer(String task) {
    return AppendTaskMessageRequest.newBuilder()
        .setTaskId(task)
        .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INPUT)
        .setMessage(
            MessageInput.newBuilder()
                .setRole(Role.ROLE_USER)
                .addParts(
                    Part.newBuilder()
                        .setText(
                            TextPart.newBuilder()
                                .setText("forty-two")
                                .setVisibility(Visibility.VISIBILITY_PUBLIC))))
        .build();
  }
}
