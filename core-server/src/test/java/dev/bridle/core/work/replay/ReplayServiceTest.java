package dev.bridle.core.work.replay;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.Refusal.assertUnsupported;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.Refusal;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.quota.v1.CreateQuotaRequest;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.replay.v1.ReplayOverride;
import dev.bridle.replay.v1.ReplayOverrideKind;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.GetSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskMessageKind;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.RegisterWorkerRequest;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UnregisterWorkerRequest;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How replays are accepted, and how they end; what runs them is played by the test. */
class ReplayServiceTest extends PlayedReplays {
  @Test
  void theReplayOfATaskNamesItAndIsMarkedAsOneOnAllItsEvents() {
    Task source = completed();

    Task replay = replay(source.getId());

    assertThat(replay.getParentTaskId()).isEqualTo(source.getId());
    assertThat(replay.getSessionId()).isEqualTo(session);
    assertThat(replay.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_SUBMITTED);
    assertThat(replay.getReplay().getOriginTaskId()).isEqualTo(source.getId());
    assertThat(replay.getReplay().getMode()).isEqualTo(ReplayMode.REPLAY_MODE_EXACT);
    assertThat(replay.getReplay().getDepth()).isEqualTo(ReplayDepth.REPLAY_DEPTH_LOG);
    try (TestWorker own = own()) {
      TaskLease lease = lease(own);
      report(lease, "replay.event_replayed", "{\"from\":0,\"to\":1,\"digest\":\"d\"}");
      end(lease);
    }

    assertThat(core.task(replay.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    List<Event> events = core.eventsOf(replay.getId());
    assertThat(events)
        .extracting(Event::getEvent)
        .containsExactly(
            "task.submitted", "task.started", "replay.event_replayed", "task.completed");
    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(event.getReplayed()).isTrue();
              assertThat(event.getReplay().getSourceTaskId()).isEqualTo(source.getId());
              assertThat(event.getReplay().getReplayTaskId()).isEqualTo(replay.getId());
              assertThat(event.getReplay().getReplayCursor()).isEqualTo(event.getId());
            });
    assertThat(events.get(2).getReplay().getOriginalEventId())
        .isEqualTo(core.eventsOf(source.getId()).get(1).getId());
    assertThat(core.eventsOf(source.getId()))
        .allSatisfy(event -> assertThat(event.getReplayed()).isFalse());
  }

  @Test
  void whoHasSubmittedTheSourceCountsAsASubmitterOfTheReplayToo() {
    Task source =
        TaskServiceGrpc.newBlockingStub(core.as("ben", List.of("*"), List.of()))
            .submitSessionTask(TestCore.submission(session));
    var end = cancel(source.getId());
    assertThat(end.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);

    Task replay = replay(source.getId());

    assertThat(core.record(replay.getId()).getAlsoSubmittedByList()).containsExactly("ben");
  }

  @Test
  void aReplayEndsAsItsOriginEnded() {
    String failed = core.submit(session).getId();
    worker.want(1);
    fail(worker.lease(), false);
    String canceled = core.submit(session).getId();
    var end = cancel(canceled);
    assertThat(end.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);

    Task ofFailed = ended(replay(failed));
    assertThat(ofFailed.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
    assertThat(ofFailed.getFailure().getCode()).isEqualTo(core.task(failed).getFailure().getCode());
    assertThat(ended(replay(canceled)).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }

  @Test
  void aReplayOfAReplayGoesBackToTheOrigin() {
    String origin = core.submit(session).getId();
    var end = cancel(origin);
    assertThat(end.getId()).isEqualTo(origin);
    Task first = ended(replay(origin));

    Task second = replay(first.getId());

    assertThat(second.getParentTaskId()).isEqualTo(first.getId());
    assertThat(second.getReplay().getSourceTaskId()).isEqualTo(first.getId());
    assertThat(second.getReplay().getOriginTaskId()).isEqualTo(origin);
    assertThat(ended(second).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }

  @Test
  void aReplayThatBreaksFailsByTheNameThatItsWorkerGives() {
    Task replay = replay(completed().getId());
    try (TestWorker own = own()) {
      TaskLease lease = lease(own);
      var unused =
          WorkerServiceGrpc.newBlockingStub(replayer())
              .failTask(
                  FailTaskRequest.newBuilder()
                      .setTaskId(replay.getId())
                      .setFence(lease.getFence())
                      .setFailure(
                          Failure.newBuilder().setCode("replay_diverged").setMessage("event 3"))
                      .build());
    }
    Task ended = core.task(replay.getId());
    assertThat(ended.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
    assertThat(ended.getFailure().getCode()).isEqualTo("replay_diverged");
  }

  @Test
  void theReplayOfATaskWhoseSessionIsClosedHasASessionOnABranchOfItsOwn() {
    Task source = completed();
    var closed =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .closeSession(CloseSessionRequest.newBuilder().setSessionId(session).build());
    int before = sessionEvents().size();

    Task replay = replay(source.getId());

    assertThat(replay.getSessionId()).isNotEqualTo(closed.getId());
    var made =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .getSession(GetSessionRequest.newBuilder().setSessionId(replay.getSessionId()).build());
    assertThat(made.getParentSessionId()).isEqualTo(session);
    assertThat(made.getBranchId()).isEqualTo(replay.getBranchId()).isNotEmpty();
    assertThat(made.getWorkspaceId()).isEqualTo(source.getWorkspaceId());
    assertThat(sessionEvents()).hasSize(before);
    assertThat(ended(replay).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
  }

  @Test
  void aTaskThatHasNotEndedIsNotReplayed() {
    String live = core.submit(session).getId();

    assertRefused(ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION, "", () -> replay(live));
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> replay("task_none"));
  }

  @Test
  void whatIsNotReplayedHereIsRefusedByItsName() {
    ReplayTaskRequest.Builder request =
        ReplayTaskRequest.newBuilder().setTaskId(completed().getId());

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "override",
        () -> replay(request.clone().setMode(ReplayMode.REPLAY_MODE_WITH_OVERRIDES)));
    assertUnsupported(
        "depth",
        () ->
            replay(
                request
                    .clone()
                    .setMode(ReplayMode.REPLAY_MODE_FROM_CHECKPOINT)
                    .setCheckpointId("c")));
    assertUnsupported(
        "depth", () -> replay(request.clone().setDepth(ReplayDepth.REPLAY_DEPTH_EXECUTE)));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "override",
        () ->
            replay(
                request
                    .clone()
                    .putOverride(
                        "time:a",
                        ReplayOverride.newBuilder()
                            .setKind(ReplayOverrideKind.REPLAY_OVERRIDE_KIND_TIME)
                            .build())));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "checkpoint_id",
        () -> replay(request.clone().setCheckpointId("c")));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "checkpoint_event_id",
        () -> replay(request.clone().setCheckpointEventId("e")));
  }

  @Test
  void noOtherWorkerTakesAReplayOrUsesTheServersOwnId() {
    Task replay = replay(completed().getId());
    worker.want(1);
    assertThat(worker.next(Duration.ofMillis(300))).isEmpty();

    try (TestWorker foreign = new TestWorker(core.owner(), OwnAgents.REPLAY, "w9")) {
      foreign.want(1);
      assertThat(foreign.next(Duration.ofMillis(300))).isEmpty();
      assertThat(foreign.failure().map(Status::fromThrowable).map(Status::getCode))
          .contains(Status.Code.PERMISSION_DENIED);
    }
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "agent_id",
        () ->
            core.workers()
                .registerWorker(
                    RegisterWorkerRequest.newBuilder().setAgentId(OwnAgents.REPLAY).build()));
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "agent_id",
        () ->
            core.workers()
                .unregisterWorker(
                    UnregisterWorkerRequest.newBuilder()
                        .setAgentId(OwnAgents.REPLAY)
                        .setRebindsTasks(true)
                        .build()));
    assertThat(core.task(replay.getId()).getAssignedAgentId()).isEqualTo(OwnAgents.REPLAY);
  }

  @Test
  void onlyReplaysReportEventsOfReplays() {
    var unused = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "event.event",
        () ->
            core.workers()
                .reportStep(
                    WorkerRequests.step(lease, "r")
                        .setEvent(
                            EventReport.newBuilder()
                                .setEvent("replay.completed")
                                .setPayload(ByteString.copyFromUtf8("{}")))
                        .build()));
  }

  @Test
  void noQuotaCountsAReplay() {
    Task source = completed();
    var quota =
        QuotaServiceGrpc.newBlockingStub(core.owner())
            .createQuota(
                CreateQuotaRequest.newBuilder()
                    .setScope(QuotaScope.QUOTA_SCOPE_TENANT)
                    .putAllLimits(Map.of("tasks", 1.0))
                    .setHardLimit(true)
                    .build());
    for (int i = 0; i < 3; i++) {
      Task replay = replay(source.getId());
      assertThat(replay.hasQuotaId()).as("quota beside %s", quota.getId()).isFalse();
      assertThat(ended(replay).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    }
    assertThat(core.submit(session).getQuotaId()).isEqualTo(quota.getId());
  }

  @Test
  void theReceiptOfAReplayAndItsEventSayWhatItIsOf() {
    Task source = completed();
    Task replay = ended(replay(source.getId()));

    assertThat(replay.getReceiptId()).isNotEmpty();
    assertThat(sessionEvents())
        .filteredOn(event -> event.getEvent().equals("receipt.issued"))
        .filteredOn(event -> event.getPayload().toStringUtf8().contains(replay.getId()))
        .singleElement()
        .satisfies(
            issued -> {
              assertThat(issued.getReplayed()).isTrue();
              assertThat(issued.getReplay().getSourceTaskId()).isEqualTo(source.getId());
            });
  }

  @Test
  void aReplayTakesNoMessages() {
    Task replay = replay(completed().getId());

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION,
        "",
        () ->
            core.tasks()
                .appendTaskMessage(
                    WorkerRequests.said(replay.getId(), "stop")
                        .setKind(TaskMessageKind.TASK_MESSAGE_KIND_INTERRUPT)
                        .build()));
    assertThat(cancel(replay.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }

  @Test
  void aCodeThatIsNoNameIsNotCopiedFromAFailure() {
    var submitted = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    var failed =
        core.workers()
            .failTask(
                FailTaskRequest.newBuilder()
                    .setTaskId(submitted.getId())
                    .setFence(lease.getFence())
                    .setFailure(Failure.newBuilder().setCode("Ada's card 42").setMessage("m"))
                    .build());
    assertThat(failed.getTask().getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);

    assertThat(replay(submitted.getId()).getReplay().getOriginFailureCode()).isEqualTo("redacted");
  }

  @Tag("slow")
  @Test
  void replaysThatWaitAreBounded() {
    String source = completed().getId();
    int accepted = 0;
    ErrorCode refusal = ErrorCode.ERROR_CODE_UNSPECIFIED;
    while (refusal == ErrorCode.ERROR_CODE_UNSPECIFIED && accepted < 2_000) {
      try {
        var waiting = replay(source);
        accepted += waiting.getId().isEmpty() ? 0 : 1;
      } catch (StatusRuntimeException e) {
        refusal =
            Refusal.of(
                    () -> {
                      throw e;
                    })
                .getCode();
      }
    }
    assertThat(refusal).isEqualTo(ErrorCode.ERROR_CODE_RATE_LIMITED);
    assertThat(accepted).isGreaterThanOrEqualTo(250);
  }

  @Test
  void aRepeatedRequestWithItsKeyIsTheSameReplay() {
    ReplayTaskRequest request =
        ReplayTaskRequest.newBuilder().setTaskId(completed().getId()).build();

    Task first = ReplayServiceGrpc.newBlockingStub(core.withKey("k-1")).replayTask(request);
    Task again = ReplayServiceGrpc.newBlockingStub(core.withKey("k-1")).replayTask(request);

    assertThat(again.getId()).isEqualTo(first.getId());
  }

  private Task replay(String task) {
    return replay(ReplayTaskRequest.newBuilder().setTaskId(task));
  }

  private Task replay(ReplayTaskRequest.Builder request) {
    return ReplayServiceGrpc.newBlockingStub(core.owner()).replayTask(request.build());
  }
}
