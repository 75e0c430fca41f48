package dev.bridle.core.work.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.proof.replay.ReplayCheck;
import dev.bridle.proof.replay.ReplayCheck.Outcome;
import dev.bridle.proof.replay.ReplayReport;
import dev.bridle.worker.v1.CallStatus;
import dev.bridle.worker.v1.CommandRun;
import dev.bridle.worker.v1.FileOperation;
import dev.bridle.worker.v1.FileWrite;
import dev.bridle.worker.v1.NetworkEgress;
import dev.bridle.worker.v1.SideEffectReport;
import dev.bridle.worker.v1.TaskLease;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** That the logs of tasks replay against the receipts that their server has issued. */
class TaskReplayTest extends LeasedTasks {
  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @Test
  void whatATaskReportsIsFoundAgainInItsLog() {
    var unused = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    report(
        lease,
        "w",
        SideEffectReport.newBuilder()
            .setFileWrite(
                FileWrite.newBuilder()
                    .setPath("a.txt")
                    .setOperation(FileOperation.FILE_OPERATION_CREATE)));
    report(
        lease,
        "c",
        SideEffectReport.newBuilder()
            .setCommand(
                CommandRun.newBuilder()
                    .setCommand("make")
                    .setStatus(CallStatus.CALL_STATUS_SUCCEEDED)));
    report(
        lease,
        "n",
        SideEffectReport.newBuilder()
            .setNetworkEgress(
                NetworkEgress.newBuilder().setDestination("example.com").setPurpose("rates")));
    var dependency = core.workers().reportStep(dependency(lease, "llm:answer"));
    var artifact = core.workers().reportStep(artifact(lease, "a"));
    complete(lease, "done");
    assertThat(dependency.getApplied() && artifact.getApplied()).isTrue();

    ReplayReport report = replay(lease.getTask().getId());

    assertThat(report.fault()).isEmpty();
    assertThat(report.finalState()).contains("COMPLETED");
    assertThat(report.isComplete()).isTrue();
    Map<String, String> passed = new TreeMap<>();
    report.checks().stream()
        .filter(check -> check.outcome() == Outcome.PASSED)
        .forEach(check -> passed.put(check.name(), check.detail()));
    assertThat(passed)
        .containsEntry("fs_writes", "1 as in the receipt")
        .containsEntry("tool_calls", "1 as in the receipt")
        .containsEntry("network_egress", "1 as in the receipt")
        .containsEntry("dependencies", "1 as in the receipt")
        .containsEntry("final_artifacts", "1 of 1 hashes are as in the log");
  }

  @Test
  void failedAndCanceledTasksReplayToo() {
    var unused = core.submit(session);
    worker.want(1);
    TaskLease failed = worker.lease();
    fail(failed, false);
    String canceled = core.submit(session).getId();
    var end = cancel(canceled);

    assertThat(replay(failed.getTask().getId()).finalState()).contains("FAILED");
    assertThat(replay(canceled).finalState()).contains("CANCELED");
    assertThat(end.getId()).isEqualTo(canceled);
    assertThat(replay(canceled).checks())
        .extracting(ReplayCheck::outcome)
        .doesNotContain(Outcome.NOT_CHECKED);
    assertThat(ReplayedTasks.differences(core.store())).isEmpty();
  }

  @Test
  void aReplayMakesTheSameSegmentEachTime() {
    String task = core.submit(session).getId();
    var unused = cancel(task);

    assertThat(replay(task).segment().orElseThrow().unsigned())
        .isEqualTo(replay(task).segment().orElseThrow().unsigned());
  }

  private void report(TaskLease lease, String key, SideEffectReport.Builder report) {
    var unused =
        core.workers().reportStep(WorkerRequests.step(lease, key).setSideEffect(report).build());
  }

  private ReplayReport replay(String task) {
    String receipt = core.task(task).getReceiptId();
    return ReplayedTasks.replay(core.store(), new StoredReceipts(core).record(receipt));
  }
}
