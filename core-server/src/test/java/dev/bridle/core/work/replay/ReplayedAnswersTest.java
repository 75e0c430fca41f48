package dev.bridle.core.work.replay;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.Refusal.assertUnsupported;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.vault.SampleVaults;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.GetSessionStateRequest;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.ReadTranscriptRequest;
import dev.bridle.worker.v1.ReplayedStep;
import dev.bridle.worker.v1.RequestPermissionResponse;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a handler in a replay is answered, and who may run one. */
final class ReplayedAnswersTest extends ExecutedTasks {
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
    useVaults(List.of(vault));
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
}
