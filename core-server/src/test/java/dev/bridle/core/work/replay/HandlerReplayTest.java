package dev.bridle.core.work.replay;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReplayedStep;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replays whose handler runs: what their worker gets, and how they end. */
final class HandlerReplayTest extends ExecutedTasks {
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
}
