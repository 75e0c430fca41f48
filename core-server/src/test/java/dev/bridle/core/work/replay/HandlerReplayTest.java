package dev.bridle.core.work.replay;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.Refusal.assertUnsupported;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.event.v1.Event;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.CompareStepsRequest;
import dev.bridle.worker.v1.FailTaskRequest;
import dev.bridle.worker.v1.GetSessionStateRequest;
import dev.bridle.worker.v1.HandlerDeterminism;
import dev.bridle.worker.v1.HandlerInfo;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.ReadTranscriptRequest;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReplayedStep;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import dev.bridle.worker.v1.UseSecretRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replays whose handler runs; the handler and its worker are played by the test. */
class HandlerReplayTest extends LeasedTasks {
  private static final HandlerInfo RECORDED =
      HandlerInfo.newBuilder()
          .setName("writer")
          .setDeterminism(HandlerDeterminism.HANDLER_DETERMINISM_RECORDED)
          .build();

  private TestWorker writer;
  private TestWorker replays;

  @BeforeEach
  void workers() {
    worker.close();
    writer = new TestWorker(core.owner(), hello());
    replays = new TestWorker(core.owner(), hello().setReplays(true));
  }

  @AfterEach
  void close() {
    writer.close();
    replays.close();
  }

  private static LeaseHello.Builder hello() {
    return LeaseHello.newBuilder().setWorkerId("w2").setHandler(RECORDED);
  }

  @Test
  void aWorkerOfReplaysGetsTheRecordedRunAndOthersDoNot() {
    Task source = completed();
    Task replay = replay(source);
    assertThat(replay.getReplay().getDepth()).isEqualTo(ReplayDepth.REPLAY_DEPTH_EXECUTE);
    writer.want(1);
    assertThat(writer.next(Duration.ofMillis(300))).isEmpty();

    TaskLease lease = lease(replays);

    assertThat(lease.getTask().getId()).isEqualTo(replay.getId());
    Task shown = lease.getReplay().getTask();
    assertThat(shown.getId()).isEqualTo(source.getId());
    assertThat(shown.getInput()).isEqualTo(source.getInput());
    assertThat(shown.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    assertThat(shown.hasOutcomeId() || shown.hasReceiptId() || shown.hasCompletedAt()).isFalse();
    assertThat(lease.getReplay().getAttempt()).isEqualTo(1);
    assertThat(lease.getReplay().getStopped()).isFalse();
    ListStepsResponse page = list(lease);
    assertThat(page.getStepsList())
        .extracting(RecordedStep::getStepKey)
        .containsExactly("llm:1", "note", "said");
    assertThat(page.getSteps(0).getValue().toStringUtf8()).isEqualTo("{\"a\":1}");
    assertThat(page.getReplayedList())
        .hasSize(3)
        .allMatch(ReplayedStep::getReplayable)
        .noneMatch(ReplayedStep::getEarlier);
  }

  @Test
  void onlyReportsThatAreAsRecordedAreTheSame() {
    TaskLease lease = lease(replays, replay(completed()));

    assertThat(compared(lease, note("note", "1"), said("said", "hello"))).isEmpty();
    assertThat(compared(lease, note("note", "2"), said("said", "hello"), said("new", "hello")))
        .containsExactly(0, 2);
    assertThat(compared(lease, note("said", "1"))).as("another kind").containsExactly(0);
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_LOCKED,
        "",
        () -> compared(lease.toBuilder().setFence(7).build(), note("note", "1")));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "task_id",
        () -> compared(leased(), note("note", "1")));
  }

  @Test
  void aReplayWhoseHandlerEndsAsBeforeGoesOnToTheLog() {
    Task source = completed();
    Task replay = replay(source);
    TaskLease lease = lease(replays, replay);

    complete(lease, "done");
    complete(lease, "done"); // Its first answer may have been lost.

    assertThat(core.task(replay.getId()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    assertThat(core.task(replay.getId()).getAssignedAgentId()).isEqualTo(OwnAgents.REPLAY);
    assertThat(ended(replay).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
    assertThat(kinds(replay))
        .containsExactly(
            "task.submitted", "task.started", "vendor.bridle.task_bound", "task.completed");
    assertThat(core.task(source.getId())).isEqualTo(source);
  }

  @Test
  void anotherEndIsADifferenceByItsName() {
    Task source = completed();

    assertThat(broken(source, lease -> complete(lease, "other"))).contains("summary");
    assertThat(broken(source, lease -> fail(lease, false))).contains("final_state");
    assertThat(
            broken(
                source,
                lease -> {
                  var unused =
                      core.workers()
                          .completeTask(
                              WorkerRequests.complete(lease)
                                  .setSummary("done")
                                  .setMetrics(ByteString.copyFromUtf8("{\"n\":1}"))
                                  .build());
                }))
        .contains("metrics");
    assertThat(
            broken(
                source,
                lease -> {
                  var unused =
                      core.workers()
                          .completeTask(
                              WorkerRequests.complete(lease)
                                  .setSummary("done")
                                  .setMessage(said("m", "bye").getMessage().getMessage())
                                  .build());
                }))
        .contains("message");
  }

  @Test
  void aFailedTaskIsReplayedByTheSameFailure() {
    Task failed = task();
    fail(lease(writer), false);
    Task source = core.task(failed.getId());

    TaskLease lease = lease(replays, replay(source));
    fail(lease, false);

    assertThat(ended(lease.getTask()).getFailure().getCode()).isEqualTo("no_luck");
    assertThat(
            broken(
                source,
                other -> {
                  var unused = failed(other, "bad_luck", "No luck.");
                }))
        .contains("code");
    assertThat(
            broken(
                source,
                other -> {
                  var unused = failed(other, "no_luck", "None at all.");
                }))
        .contains("failure");
    assertThat(broken(source, other -> complete(other, "done"))).contains("final_state");
  }

  @Test
  void aReplayThatIsCanceledWhileItsHandlerRunsDoesNotGoOn() {
    TaskLease lease = lease(replays, replay(completed()));
    assertThat(cancel(lease.getTask().getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_WORKING);

    complete(lease, "done");

    assertThat(core.task(lease.getTask().getId()).getStatus())
        .isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }

  @Test
  void whatAWorkerSaysOfADifferenceIsCut() {
    TaskLease lease = lease(replays, replay(completed()));

    Task ended = failed(lease, "replay_diverged", "x".repeat(5000));

    assertThat(ended.getFailure().getMessage()).hasSize(1001).endsWith("…");
  }

  @Test
  void aRunThatWaitedInItsProcessIsOneRun() {
    Task task = task();
    TaskLease first = lease(writer);
    step(first, dependency(first, "llm:1").toBuilder());
    var asked = core.workers().requestInput(question(first, 30));
    assertThat(asked.hasAnswer()).isFalse();
    var said = core.tasks().appendTaskMessage(WorkerRequests.said(task.getId(), "red").build());
    assertThat(said.getId()).isNotEmpty();
    TaskLease resumed = lease(writer);
    assertThat(resumed.getResumed()).isTrue();
    step(resumed, dependency(resumed, "llm:2").toBuilder());
    complete(resumed, "done");

    TaskLease lease = lease(replays, replay(core.task(task.getId())));

    assertThat(list(lease).getReplayedList()).hasSize(3).noneMatch(ReplayedStep::getEarlier);
  }

  @Test
  void theWorkerSaysWhichStepDiffersOrIsMissing() {
    Task source = completed();
    for (String code : List.of("replay_diverged", "replay_unavailable")) {
      TaskLease lease = lease(replays, replay(source));

      Task ended = failed(lease, code, "step llm:1: not recorded");

      assertThat(ended.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
      assertThat(ended.getFailure().getCode()).isEqualTo(code);
      assertThat(payloads(ended, "replay.failed"))
          .containsExactly("{\"code\":\"" + code + "\",\"what\":\"step llm:1: not recorded\"}");
    }
  }

  @Test
  void aCanceledTaskWasStoppedSoThatAnyEndIsItsOwn() {
    Task source = task();
    TaskLease first = lease(writer);
    step(first, dependency(first, "llm:1").toBuilder());
    var asked = cancel(source.getId());
    assertThat(asked.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_WORKING);
    var unused =
        core.workers()
            .acknowledgeCancel(
                dev.bridle.worker.v1.AcknowledgeCancelRequest.newBuilder()
                    .setTaskId(source.getId())
                    .setFence(first.getFence())
                    .build());

    TaskLease lease = lease(replays, replay(core.task(source.getId())));
    assertThat(lease.getReplay().getStopped()).isTrue();
    complete(lease, "stopped");

    assertThat(ended(lease.getTask()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_CANCELED);
  }

  @Test
  void aReplayReportsAsksAndReadsNothing() {
    Task source = completed();
    TaskLease lease = lease(replays, replay(source));
    int before = core.eventsOf(lease.getTask().getId()).size();

    assertUnsupported("task_id", () -> core.workers().reportStep(artifact(lease, "x")));
    assertUnsupported(
        "task_id",
        () ->
            core.workers()
                .completeTask(
                    WorkerRequests.complete(lease)
                        .addEarlierReports(WorkerRequests.progress("p"))
                        .build()));
    assertUnsupported(
        "task_id",
        () ->
            core.workers()
                .readTranscript(
                    ReadTranscriptRequest.newBuilder()
                        .setTaskId(lease.getTask().getId())
                        .setFence(lease.getFence())
                        .setLimit(1)
                        .build()));
    assertUnsupported(
        "task_id",
        () ->
            core.workers()
                .getSessionState(
                    GetSessionStateRequest.newBuilder()
                        .setTaskId(lease.getTask().getId())
                        .setFence(lease.getFence())
                        .build()));
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT, "", () -> core.workers().requestInput(question(lease, 0)));
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> ask(lease, "act", "ls"));
    assertThat(core.eventsOf(lease.getTask().getId())).hasSize(before);
  }

  @Test
  void aDecisionIsTheOneThatWasMadeAndIsForThatActionAlone() {
    Task task = task();
    TaskLease first = lease(writer);
    String request = ask(first, "act", "ls").getRequestId();
    var answered =
        PermissionServiceGrpc.newBlockingStub(core.owner())
            .respondPermissionRequest(
                RespondPermissionRequestRequest.newBuilder()
                    .setRequestId(request)
                    .setApproved(true)
                    .setReason("go on")
                    .build());
    TaskLease second = lease(writer);
    RequestPermissionResponse allowed = ask(second, "act", "ls");
    assertThat(allowed.getVerdict()).isEqualTo(PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    complete(second, "done");
    Task source = core.task(task.getId());

    TaskLease lease = lease(replays, replay(source));

    assertThat(ask(lease, "act", "ls")).isEqualTo(allowed);
    assertThat(ask(lease, "act", "ls")).as("again: nothing is used").isEqualTo(allowed);
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> ask(lease, "act", "rm -r"));
    assertThat(answered.getStatus().name()).endsWith("APPROVED");
    complete(lease, "done");
    assertThat(ended(lease.getTask()).getStatus()).isEqualTo(TaskStatus.TASK_STATUS_COMPLETED);
  }

  @Test
  void aSecretIsGivenWhileItIsTheOneThatWasUsed() {
    String vault = SampleVaults.made(core.owner(), "default").getId();
    SampleVaults.put(core.owner(), vault, "token", "swordfish-7");
    session =
        SessionServiceGrpc.newBlockingStub(core.owner())
            .createSession(
                CreateSessionRequest.newBuilder()
                    .setWorkspaceId("default")
                    .addVaultIds(vault)
                    .build())
            .getId();
    Task task = task();
    TaskLease first = lease(writer);
    assertThat(use(first)).isEqualTo("swordfish-7");
    complete(first, "done");
    Task source = core.task(task.getId());

    TaskLease lease = lease(replays, replay(source));

    assertThat(use(lease)).isEqualTo("swordfish-7");
    assertThat(use(lease)).isEqualTo("swordfish-7");
    assertThat(kinds(lease.getTask())).containsOnlyOnce("vendor.bridle.secret_used");
    SampleVaults.put(core.owner(), vault, "token", "swordfish-8");
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> use(lease));
  }

  @Test
  void onlyHandlersThatRecordAllAreRunAgain() {
    try (TestWorker partial =
        new TestWorker(core.owner(), LeaseHello.newBuilder().setWorkerId("w3"))) {
      Task task = task();
      complete(lease(partial), "done");
      Task source = core.task(task.getId());

      assertUnsupported("depth", () -> replay(source));
    }
  }

  @Test
  void nobodyTakesReplaysByTheirAgentId() {
    String id = OwnAgents.replaysOf("");
    try (TestWorker foreign = new TestWorker(core.owner(), id, "w9")) {
      foreign.want(1);
      var unused = replay(completed());
      assertThat(foreign.next(Duration.ofMillis(300))).isEmpty();
      assertThat(foreign.failure()).isPresent();
    }
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "agent_id",
        () ->
            core.workers()
                .unregisterWorker(
                    dev.bridle.worker.v1.UnregisterWorkerRequest.newBuilder()
                        .setAgentId(id)
                        .setRebindsTasks(true)
                        .build()));
  }

  private Task task() {
    return core.submit(session);
  }

  private TaskLease leased() {
    var unused = task();
    return lease(writer);
  }

  private static TaskLease lease(TestWorker of) {
    of.want(1);
    return of.lease();
  }

  private TaskLease lease(TestWorker of, Task task) {
    TaskLease lease = lease(of);
    assertThat(lease.getTask().getId()).isEqualTo(task.getId());
    return lease;
  }

  /** Runs a task with a value, a note and a message. */
  private Task completed() {
    Task task = task();
    TaskLease lease = lease(writer);
    step(lease, dependency(lease, "llm:1").toBuilder());
    step(lease, WorkerRequests.step(lease, "note").setEvent(note("note", "1").getEvent()));
    step(lease, WorkerRequests.step(lease, "said").setMessage(said("said", "hello").getMessage()));
    complete(lease, "done");
    return core.task(task.getId());
  }

  private void step(TaskLease lease, dev.bridle.worker.v1.ReportStepRequest.Builder report) {
    var unused = core.workers().reportStep(report.setFence(lease.getFence()).build());
  }

  private static StepReport note(String key, String text) {
    return WorkerRequests.note(key, "{\"text\":\"" + text + "\"}");
  }

  private static StepReport said(String key, String text) {
    return WorkerRequests.message(key, text);
  }

  private Task replay(Task source) {
    return ReplayServiceGrpc.newBlockingStub(core.owner())
        .replayTask(
            ReplayTaskRequest.newBuilder()
                .setTaskId(source.getId())
                .setDepth(ReplayDepth.REPLAY_DEPTH_EXECUTE)
                .build());
  }

  private ListStepsResponse list(TaskLease lease) {
    return core.workers()
        .listSteps(
            ListStepsRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .build());
  }

  private List<Integer> compared(TaskLease lease, StepReport... reports) {
    return core.workers()
        .compareSteps(
            CompareStepsRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .addAllReports(List.of(reports))
                .build())
        .getDifferentList();
  }

  private interface End {
    void of(TaskLease lease);
  }

  /** Ends a replay in a way that differs, and returns what it says differs. */
  private String broken(Task source, End end) {
    Task replay = replay(source);
    end.of(lease(replays, replay));
    Task ended = core.task(replay.getId());
    assertThat(ended.getStatus()).isEqualTo(TaskStatus.TASK_STATUS_FAILED);
    assertThat(ended.getFailure().getCode()).isEqualTo("replay_diverged");
    assertThat(payloads(ended, "replay.failed")).hasSize(1);
    return ended.getFailure().getMessage();
  }

  private Task failed(TaskLease lease, String code, String message) {
    return core.workers()
        .failTask(
            FailTaskRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setFailure(Failure.newBuilder().setCode(code).setMessage(message))
                .build())
        .getTask();
  }

  private RequestPermissionResponse ask(TaskLease lease, String key, String command) {
    return core.workers()
        .requestPermission(
            WorkerRequests.permission(lease, key)
                .setAction(
                    AskedAction.newBuilder()
                        .setKind("command")
                        .setContent(ByteString.copyFromUtf8("{\"command\":\"" + command + "\"}")))
                .build());
  }

  private String use(TaskLease lease) {
    return core.workers()
        .useSecret(
            UseSecretRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setName("token")
                .build())
        .getValue();
  }

  /** Ends the log's replay as the server's own worker does that finds no difference. */
  private Task ended(Task replay) {
    var channel =
        core.as(
            core.core().processCredential("default", OwnAgents.REPLAY, Set.of("workers:lease")));
    try (TestWorker own = new TestWorker(channel, OwnAgents.REPLAY, "replayer")) {
      var unused =
          dev.bridle.worker.v1.WorkerServiceGrpc.newBlockingStub(channel)
              .completeTask(
                  WorkerRequests.complete(lease(own, replay)).setSummary("replayed").build());
    }
    return core.task(replay.getId());
  }

  private List<String> kinds(Task task) {
    return core.eventsOf(task.getId()).stream().map(Event::getEvent).toList();
  }

  private List<String> payloads(Task task, String kind) {
    return core.eventsOf(task.getId()).stream()
        .filter(event -> event.getEvent().equals(kind))
        .map(event -> event.getPayload().toStringUtf8())
        .toList();
  }
}
