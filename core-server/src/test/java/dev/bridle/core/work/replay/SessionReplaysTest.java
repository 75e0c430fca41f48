package dev.bridle.core.work.replay;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.Refusal.assertUnsupported;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.receipt.v1.GetReceiptRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplaySessionRequest;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.GetSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.EventReport;
import dev.bridle.worker.v1.TaskLease;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How replays of sessions are accepted, and what their events are about. */
class SessionReplaysTest extends PlayedReplays {
  @Test
  void theReplayOfASessionIsOneTaskThatNamesItAndItsFirstTask() {
    Task first = completed();
    Task second = completed();

    Task replay = replay(session);

    assertThat(replay.getReplay().getSourceSessionId()).isEqualTo(session);
    assertThat(replay.getReplay().getSourceTaskId()).isEqualTo(first.getId());
    assertThat(replay.getReplay().getMode()).isEqualTo(ReplayMode.REPLAY_MODE_EXACT);
    assertThat(replay.getReplay().getDepth()).isEqualTo(ReplayDepth.REPLAY_DEPTH_LOG);
    assertThat(replay.hasParentTaskId()).isFalse();
    assertThat(replay.getSessionId()).isEqualTo(session);
    assertThat(replay.getAssignedAgentId()).isEqualTo(OwnAgents.SESSION_REPLAY);
    try (TestWorker own = own(OwnAgents.SESSION_REPLAY)) {
      TaskLease lease = lease(own);
      report(
          lease,
          "replay.event_replayed",
          "{\"source_task_id\":\"" + second.getId() + "\",\"from\":0,\"to\":1}");
      report(lease, "session.replayed", "{\"replayed\":2}");
      end(lease);
    }

    assertThat(core.task(replay.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    List<Event> events = core.eventsOf(replay.getId());
    assertThat(events)
        .extracting(Event::getEvent)
        .containsExactly(
            "task.submitted",
            "task.started",
            "replay.event_replayed",
            "session.replayed",
            "task.completed");
    assertThat(events)
        .extracting(event -> event.getReplay().getSourceTaskId())
        .containsExactly(
            first.getId(), first.getId(), second.getId(), first.getId(), first.getId());
    assertThat(events.get(2).getReplay().getOriginalEventId())
        .isEqualTo(core.eventsOf(second.getId()).get(1).getId());
  }

  @Test
  void onlyTheReplayOfASessionSaysThatOneWasReplayed() {
    Task source = completed();
    var replay =
        ReplayServiceGrpc.newBlockingStub(core.owner())
            .replayTask(ReplayTaskRequest.newBuilder().setTaskId(source.getId()).build());
    try (TestWorker own = own()) {
      TaskLease lease = lease(own);
      assertThat(lease.getTask().getId()).isEqualTo(replay.getId());
      assertRefused(
          ErrorCode.ERROR_CODE_INVALID_REQUEST,
          "event.event",
          () -> report(lease, "session.replayed", "{}"));
    }
    var submitted = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    assertThat(lease.getTask().getId()).isEqualTo(submitted.getId());
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "event.event",
        () ->
            core.workers()
                .reportStep(
                    WorkerRequests.step(lease, "s")
                        .setEvent(
                            EventReport.newBuilder()
                                .setEvent("session.replayed")
                                .setPayload(ByteString.copyFromUtf8("{}")))
                        .build()));
  }

  @Test
  void aSessionWithoutATaskThatHasEndedIsNotReplayed() {
    assertRefused(ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION, "", () -> replay(session));
    var live = core.submit(session);
    assertThat(live.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_SUBMITTED);
    assertRefused(ErrorCode.ERROR_CODE_INVALID_STATE_TRANSITION, "", () -> replay(session));
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> replay("session_none"));

    assertThat(cancel(live.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
    Task replay = replay(session);
    assertThat(replay.getReplay().getSourceTaskId()).isEqualTo(live.getId());
    assertThat(replay.getReplay().getOriginStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
    assertThat(ended(replay).getStatus())
        .as("a replay of all, whose first task was canceled")
        .isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
  }

  @Test
  void aReplayIsNoTaskOfItsSessionThatIsReplayed() {
    Task source = completed();
    Task of = ended(replay(session));
    assertThat(of.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);

    assertThat(replay(session).getReplay().getSourceTaskId()).isEqualTo(source.getId());
    assertUnsupported(
        "task_id",
        () ->
            ReplayServiceGrpc.newBlockingStub(core.owner())
                .replayTask(ReplayTaskRequest.newBuilder().setTaskId(of.getId()).build()));
  }

  @Test
  void aClosedSessionIsReplayedInOneOnABranchBesideIt() {
    var source = completed();
    SessionServiceGrpc.SessionServiceBlockingStub sessions =
        SessionServiceGrpc.newBlockingStub(core.owner());
    var closed =
        sessions.closeSession(CloseSessionRequest.newBuilder().setSessionId(session).build());
    int before = sessionEvents().size();

    Task replay = replay(closed.getId());

    Session made =
        sessions.getSession(
            GetSessionRequest.newBuilder().setSessionId(replay.getSessionId()).build());
    assertThat(made.getId()).isNotEqualTo(session);
    assertThat(made.getParentSessionId()).isEqualTo(session);
    assertThat(made.getBranchId()).isEqualTo(replay.getBranchId()).isNotEmpty();
    assertThat(sessionEvents()).hasSize(before);
    assertThat(replay.getReplay().getSourceTaskId()).isEqualTo(source.getId());
  }

  @Test
  void whatIsForSingleTasksIsRefusedByItsName() {
    var source = completed();
    assertThat(source.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    ReplaySessionRequest.Builder request = ReplaySessionRequest.newBuilder().setSessionId(session);

    assertUnsupported(
        "mode", () -> replay(request.clone().setMode(ReplayMode.REPLAY_MODE_WITH_OVERRIDES)));
    assertUnsupported(
        "mode", () -> replay(request.clone().setMode(ReplayMode.REPLAY_MODE_FROM_CHECKPOINT)));
    assertUnsupported(
        "depth", () -> replay(request.clone().setDepth(ReplayDepth.REPLAY_DEPTH_EXECUTE)));
    assertThat(
            replay(
                    request
                        .clone()
                        .setMode(ReplayMode.REPLAY_MODE_EXACT)
                        .setDepth(ReplayDepth.REPLAY_DEPTH_LOG))
                .getReplay()
                .getSourceSessionId())
        .isEqualTo(session);
  }

  @Test
  void theReceiptOfTheReplayNamesTheSession() {
    var source = completed();
    Task replay = ended(replay(session));

    assertThat(
            ReceiptServiceGrpc.newBlockingStub(core.owner())
                .getReceipt(
                    GetReceiptRequest.newBuilder().setReceiptId(replay.getReceiptId()).build())
                .getWire()
                .getPayload()
                .toStringUtf8())
        .contains("\"source_session_id\":\"" + session + "\"", source.getId());
  }

  @Test
  void aRepeatedRequestWithItsKeyIsTheSameReplay() {
    var source = completed();
    assertThat(source.getSessionId()).isEqualTo(session);
    ReplaySessionRequest request =
        ReplaySessionRequest.newBuilder().setSessionId(session).setReason("audit").build();

    Task first = ReplayServiceGrpc.newBlockingStub(core.withKey("k-1")).replaySession(request);
    Task again = ReplayServiceGrpc.newBlockingStub(core.withKey("k-1")).replaySession(request);

    assertThat(again.getId()).isEqualTo(first.getId());
    assertThat(core.eventsOf(first.getId()).get(0).getPayload().toStringUtf8()).contains("audit");
  }

  private Task replay(String id) {
    return replay(ReplaySessionRequest.newBuilder().setSessionId(id));
  }

  private Task replay(ReplaySessionRequest.Builder request) {
    return ReplayServiceGrpc.newBlockingStub(core.owner()).replaySession(request.build());
  }
}
