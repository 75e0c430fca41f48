package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pages of recorded steps, as a worker reads them before another run. */
class StepListsTest extends LeasedTasks {
  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  private ListStepsResponse list(TaskLease lease, String after) {
    return core.workers()
        .listSteps(
            ListStepsRequest.newBuilder()
                .setTaskId(lease.getTask().getId())
                .setFence(lease.getFence())
                .setAfterStepKey(after)
                .build());
  }

  private void report(TaskLease lease, String own, List<StepReport> earlier) {
    var unused =
        core.workers()
            .reportStep(artifact(lease, own).toBuilder().addAllEarlierReports(earlier).build());
  }

  @Test
  void aReaderLeavesOutTheKeysOfAPrefix() {
    var unused = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    for (int call = 0; call < 3; call++) {
      List<StepReport> notes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        notes.add(WorkerRequests.note("event:run:" + call + ":" + i, "{}"));
      }
      report(lease, "a" + call, notes);
    }
    report(lease, "outcome", List.of());

    ListStepsResponse first = list(lease, "");
    assertThat(first.getStepsCount()).isEqualTo(200);
    assertThat(first.getHasMore()).isTrue();
    ListStepsResponse rest = list(lease, "event:" + Character.toString(Character.MAX_CODE_POINT));
    assertThat(rest.getStepsList()).extracting(RecordedStep::getStepKey).containsExactly("outcome");
    assertThat(rest.getHasMore()).isFalse();
  }
}
